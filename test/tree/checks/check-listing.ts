import { expect } from 'vitest';
import { listChildren, listManyChildren } from '../../../src/core/content/statements/load-content.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { ViewRule } from '../../../src/core/search/statements/view-rule.ts';
import { ADMIN, ANN } from '../people.ts';
import { mayView } from '../rights.ts';
import type { Tree } from '../tree.ts';

const LIMIT = 3;

/**
 * Lists the children of each container batch by batch: each caller must get those that they may view, in order and without
 * gaps.
 */
export async function checkListing(kernel: Kernel, tree: Tree): Promise<void> {
  const containers = tree.all().filter(({ children }) => children.length > 0);
  const rows = await kernel.db.query<{ oid: number; uid: string }>({
    text: 'select oid, uid from content where uid = any($1)',
    values: [containers.flatMap(({ uid, children: [first] }) => [uid, ...(first ? [first.uid] : [])])],
  });
  const oids = new Map(rows.map(({ oid, uid }) => [uid, oid]));
  for (const { uid, children, name } of containers)
    for (const caller of [ADMIN, ANN]) {
      const expected = children.filter((child) => mayView(caller, child)).map((child) => child.uid);
      const about = {
        parent: oids.get(uid) ?? 0,
        principals: caller.principals,
        rule: ViewRule.of(false),
        inactive: true,
        limit: LIMIT,
      };
      for (let offset = 0; offset <= expected.length; offset += LIMIT) {
        const request = { ...about, offset };
        const first = oids.get(expected[0] ?? '');
        const ways = [
          listChildren(kernel.db, request),
          listManyChildren(kernel.db, request, {}),
          listManyChildren(kernel.db, request, { total: expected.length }),
          ...(first === undefined
            ? []
            : [listManyChildren(kernel.db, request, { total: expected.length, mark: { place: 0, oid: first } })]),
        ];
        for (const listed of await Promise.all(ways))
          expect(
            [listed[0]?.total, listed.flatMap((child) => (child.oid === null ? [] : child.uid))],
            `${name} for ${caller.id}`,
          ).toEqual([expected.length, expected.slice(offset, offset + LIMIT)]);
      }
    }
}
