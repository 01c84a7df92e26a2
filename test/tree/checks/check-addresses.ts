import { expect } from 'vitest';
import { findOldAddress } from '../../../src/core/http/find-old-address.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { ADMIN, ANN } from '../people.ts';
import { mayView } from '../rights.ts';
import type { Tree } from '../tree.ts';

/** Compares the stored redirects with the expected ones, and checks where they lead each caller. */
export async function checkAddresses(kernel: Kernel, tree: Tree): Promise<void> {
  const rows = await kernel.db.query<{ path: string; target: string }>({
    text: `select r.path, c.path as target from redirect r left join content c on c.oid = r.target
      where starts_with(r.path, $1 || '/') order by r.path`,
    values: [tree.path(tree.root)],
  });
  const expected = [...tree.redirects].map(([path, node]) => ({ path, target: tree.path(node) }));
  expect(rows).toEqual(expected.sort((a, b) => (a.path < b.path ? -1 : 1)));
  for (const [path, node] of tree.redirects) {
    const to = { path: tree.path(node), withQuery: false };
    expect(await findOldAddress(kernel, ADMIN, path), path).toEqual(to);
    expect(await findOldAddress(kernel, ANN, path), path).toEqual(mayView(ANN, node) ? to : undefined);
  }
}
