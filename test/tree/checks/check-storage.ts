import { expect } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';

/** Rules for rows. Each statement finds the rows that break one. */
const FAULTS: Record<string, string> = {
  'content that the root does not reach': `with recursive reached as (
      select oid from content where parent is null union select c.oid from content c join reached r on c.parent = r.oid
    ) select path from content where oid not in (select oid from reached)`,
  'content whose path is not that of its container and its name': `select c.path from content c join content p on p.oid = c.parent
    where c.path <> rtrim(p.path, '/') || '/' || c.name`,
  'content without a place': `select path from content where position is null or position in ('NaN', 'Infinity', '-Infinity')`,
  'content that is not in the catalog': 'select path from content where oid not in (select oid from catalog)',
  'content whose state is not the last one of its history': `select c.path from content c where c.review_state is distinct from
    (select review_state from workflow_history h where h.content = c.oid order by h.id desc limit 1)`,
  'old addresses of existing content': 'select path from redirect join content using (path)',
  'content that is in the recycle bin as well': 'select o.path from recycled_object o join content using (oid)',
  'rows in the recycle bin without their object': `select source from recycled_row r
    where not exists (select 1 from recycled_object o where o.entry = r.entry and o.oid = r.oid)`,
  'entries of the recycle bin without their object': `select path from recycled r
    where not exists (select 1 from recycled_object o where o.entry = r.id and o.oid = r.oid and o.path = r.path)`,
};

/** Finds rows that contradict each other, in the whole database. */
export async function checkStorage(kernel: Kernel): Promise<void> {
  for (const [fault, text] of Object.entries(FAULTS)) expect(await kernel.db.query({ text }), fault).toEqual([]);
}

/** The number of rows of each table that refers to content or the recycle bin, directly or through other tables. */
export async function rowCounts(kernel: Kernel): Promise<Record<string, number>> {
  const tables = await kernel.db.query<{ name: string }>({
    text: `with recursive hanging as (
        select oid from pg_class where relname in ('content', 'recycled') and relnamespace = current_schema()::regnamespace
        union select k.conrelid from pg_constraint k join hanging h on k.confrelid = h.oid where k.contype = 'f'
      ) select oid::regclass::text as name from hanging order by 1`,
  });
  const counts = await kernel.db.query<{ name: string; count: number }>({
    text: tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`).join(' union all '),
  });
  return Object.fromEntries(counts.map(({ name, count }) => [name, count]));
}
