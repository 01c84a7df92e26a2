import type { Queryable } from '../../../database/database.ts';
import type { WrittenViewers } from './catalog.ts';

/** The viewers of one copy. */
export type CopyViewers = { path: string } & WrittenViewers;

/**
 * Adds the catalog rows of the copies at and below `to`: the rows of their originals at and below `from`, with other viewers. The caller has locked
 * both subtrees.
 */
export async function copyCatalogRows(
  db: Queryable,
  { from, to, viewers }: { from: string; to: string; viewers: readonly CopyViewers[] },
): Promise<void> {
  await db.query({
    name: 'copy-catalog-rows',
    text: `with pair as materialized (
        select copy.oid as copy, original.oid, v.allowed, v.inactive_allowed from unnest($3::text[], $4::text[], $5::text[]) v(path, allowed, inactive_allowed)
          join content copy on copy.path = v.path collate "C"
          join content original on original.path = $1 || substr(v.path, length($2) + 1)
      ), added as (
        insert into catalog select r.* from pair p join catalog k on k.oid = p.oid
          cross join lateral jsonb_populate_record(k, jsonb_build_object('oid', p.copy,
            'allowed', p.allowed::jsonb, 'inactive_allowed', p.inactive_allowed::jsonb)) r
      )
      insert into catalog_value select r.* from pair p join catalog_value f on f.oid = p.oid
        cross join lateral jsonb_populate_record(f, jsonb_build_object('oid', p.copy)) r`,
    values: [
      from,
      to,
      viewers.map(({ path }) => path),
      viewers.map(({ allowed }) => allowed),
      viewers.map(({ inactiveAllowed }) => inactiveAllowed),
    ],
  });
}

/** Removes a principal from the index of viewers, which contains principals only by local roles. */
export async function removeViewer(db: Queryable, principal: string): Promise<void> {
  await db.query({
    text: `update catalog set allowed = array_remove(allowed, $1), inactive_allowed = array_remove(inactive_allowed, $1)
      where allowed && array[$1]::text[] or inactive_allowed @> array[$1]::text[]`,
    values: [principal],
  });
}
