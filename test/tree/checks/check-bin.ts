import { expect } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import type { Bin } from '../bin.ts';

/** Compares the entries of the recycle bin with the deletions that were neither restored nor purged. */
export async function checkBin(kernel: Kernel, bin: Bin): Promise<void> {
  const rows = await kernel.db.query({
    text: `select r.id, r.path, r.name, r.deleted_by as by, r.objects::int as count,
        (select jsonb_object_agg(o.path, o.uid) from recycled_object o where o.entry = r.id) as objects from recycled r order by r.id`,
  });
  const expected = bin.entries.map(({ id, top, paths }) => ({
    id,
    path: paths.get(top),
    name: top.name,
    by: 'admin',
    count: paths.size,
    objects: Object.fromEntries([...paths].map(([node, path]) => [path, node.uid])),
  }));
  expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
}
