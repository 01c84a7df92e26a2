import type { ContentObject } from '../content-row.ts';
import type { Queryable } from '../database.ts';
import { DETAIL_COLUMNS, NODE_COLUMNS } from './content-columns.ts';
import { INDEX_FIELDS } from './nav-columns.ts';

/** An object and who may view it. Of those that others refer to, the fields come without blocks and rich text. */
export type WholeRow = ContentObject & { allowed: string[] };

/**
 * The objects with the given numbers, and those that they refer to, in no order and with one statement: enough
 * to serve the first ones with their references.
 */
export const wholeObjectsWithTargets = (db: Queryable, oids: readonly number[]): Promise<WholeRow[]> =>
  db.query<WholeRow>({
    name: 'nav-whole-objects',
    text: `with wanted as (
        select unnest($1::bigint[]) as oid
        union select t.oid from reference r join content t on t.uid = r.target where r.source = any($1)
      )
      select ${NODE_COLUMNS}, ${DETAIL_COLUMNS}, k.allowed, case when c.oid = any($1) then c.fields else ${INDEX_FIELDS} end as fields
      from wanted join content c using (oid) join catalog k using (oid)`,
    values: [oids],
  });
