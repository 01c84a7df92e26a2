import { expect } from 'vitest';
import { reindexSite } from '../../../src/core/content/reindex-site.ts';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';

const AT_OR_BELOW = `(c.path = $1 or starts_with(c.path, $1 || '/'))`;

/** All columns of the catalog, its values for ranges, and the references, by the path of the object. */
const indexOf = (kernel: Kernel, path: string) =>
  kernel.db.query({
    text: `select c.path, to_jsonb(k) as catalog,
        (select jsonb_agg(to_jsonb(v) order by v.name) from catalog_value v where v.oid = k.oid) as values,
        (select jsonb_agg(to_jsonb(r) order by r.position) from reference r where r.source = c.oid) as references
      from content c left join catalog k using (oid) where ${AT_OR_BELOW} order by c.path`,
    values: [path],
  });

/** Compares the catalog and the references at and below a path with those that are built from scratch. */
export async function checkCatalog(kernel: Kernel, path: string): Promise<void> {
  const live = await indexOf(kernel, path);
  for (const [table, key] of [
    ['catalog', 'oid'],
    ['reference', 'source'],
  ])
    await kernel.db.query({
      text: `delete from ${table} t using content c where c.oid = t.${key} and ${AT_OR_BELOW}`,
      values: [path],
    });
  await reindexSite(kernel);
  expect(live).toEqual(await indexOf(kernel, path));
}
