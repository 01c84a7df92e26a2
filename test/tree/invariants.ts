import { expect } from 'vitest';
import { referencesOf } from '../../src/content/index-content.ts';
import { locate } from '../../src/content/locate.ts';
import { securityChain } from '../../src/content/security-chain.ts';
import { viewersOf } from '../../src/security/viewers-of.ts';
import type { Kernel } from '../../src/site/kernel.ts';
import type { Model } from './model.ts';

type Stored = {
  oid: number;
  uid: string;
  parent: number;
  name: string;
  path: string;
  reviewState: string;
  allowed: string[];
};

/** Compares the tables with the model and with what they would hold if all of it were computed anew. */
export async function checkTree(kernel: Kernel, model: Model): Promise<void> {
  const rows = await kernel.db.query<Stored>({
    text: `select c.oid, c.uid, c.parent, c.name, c.path, c.review_state as "reviewState", k.allowed
      from content c left join catalog k using (oid) where c.path = $1 or starts_with(c.path, $1 || '/') order by c.position, c.oid`,
    values: [model.rootPath],
  });
  checkNames(rows, model);
  for (const { oid, path, allowed } of rows) {
    const { site, located } = await locate(kernel, path);
    if (!located) throw new Error(`${path} cannot be found`);
    expect(allowed, `viewers of ${path}`).toEqual(viewersOf(securityChain(site, located), site.roleMap));
    const references = await kernel.db.query({
      text: 'select relation, target from reference where source = $1 order by position',
      values: [oid],
    });
    expect(references, `references of ${path}`).toEqual(referencesOf(kernel, site, located.object));
  }
  const shadowing = await kernel.db.query({ text: 'select path from redirect join content using (path)' });
  expect(shadowing, 'redirects of addresses in use').toEqual([]);
}

function checkNames(rows: Stored[], model: Model): void {
  const byOid = new Map(rows.map((row) => [row.oid, row]));
  for (const { parent, name, path } of rows) {
    const container = byOid.get(parent);
    if (container) expect(path).toBe(`${container.path}/${name}`);
  }
  const names = rows.map(({ parent, name }) => `${parent}/${name}`);
  expect(new Set(names).size, 'names are unique in their container').toBe(names.length);
  const expected = new Map(model.all().map((node) => [node.uid, node]));
  expect(new Set(rows.map(({ uid }) => uid)), 'objects').toEqual(new Set(expected.keys()));
  for (const { oid, uid, path, reviewState } of rows) {
    const node = expected.get(uid);
    if (!node) continue;
    expect([path, reviewState]).toEqual([model.path(node), node.state]);
    const order = rows.filter((row) => row.parent === oid).map((row) => row.name);
    expect(order, `order of ${path}`).toEqual(node.children.map((child) => child.name));
  }
}
