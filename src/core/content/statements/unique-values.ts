import type { Queryable } from '../../../database/database.ts';
import { firstRow } from '../../../database/rows.ts';
import { AT_OR_BELOW } from '../../search/statements/fragments.ts';
import { fieldValue } from '../../search/statements/long-fields.ts';
import { type Viewers, viewed } from '../../search/statements/view-rule.ts';

/** A field of a type whose values must be unique among its objects. */
export type UniqueField = { type: string; field: string };

/** A piece of content, or with `below` everything in it as well. */
export type Place = { path: string; below: boolean };

const AT = (column: string, below: string) => `(${column} = $1 or ${below} and ${AT_OR_BELOW(column, '$1')})`;

/** Returns the types that objects at a place have. */
export async function typesAt(tx: Queryable, { path, below }: Place, types: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ type: string }>({
    name: 'unique-types-at',
    text: `select distinct type from content where type = any($2) and ${AT('path', '$3')}`,
    values: [path, types, below],
  });
  return rows.map(({ type }) => type);
}

/** Waits for all other writers of these fields, and keeps others out until the transaction ends. */
export async function lockUniqueFields(tx: Queryable, fields: readonly UniqueField[]): Promise<void> {
  const keys = fields.map(({ type, field }) => `${type} ${field}`).sort();
  for (const key of keys)
    await tx.query({ text: `select pg_advisory_xact_lock(hashtext('unique'), hashtext($1))`, values: [key] });
}

/** Returns the types that objects have. */
export async function typesOf(tx: Queryable, oids: readonly number[], types: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ type: string }>({
    name: 'unique-types-of',
    text: 'select distinct type from content where oid = any($1::bigint[]) and type = any($2)',
    values: [oids, types],
  });
  return rows.map(({ type }) => type);
}

const NO_COPY = (alias: string) => `not exists (select from working_copy w where w.copy = ${alias}.oid)`;

/** Condition that another object of the type of `c` has the same value of the field `f`. */
const SHARED = `coalesce(${fieldValue('c', 'f.field')}, 'null') not in ('null', '""') and ${NO_COPY('c')} and exists (
    select from content o where o.type = f.type and o.oid <> c.oid and ${fieldValue('o', 'f.field')} = ${fieldValue('c', 'f.field')} and ${NO_COPY('o')}
  )`;

/** A field whose value in one of these objects is also in another object of the type; undefined for none. */
export const sharedValueOf = (
  tx: Queryable,
  oids: readonly number[],
  fields: readonly UniqueField[],
): Promise<UniqueField | undefined> =>
  firstRow<UniqueField>(tx, {
    name: 'unique-shared-value-of',
    text: `select f.type, f.field from unnest($2::text[], $3::text[]) f(type, field)
      join content c on c.type = f.type and c.oid = any($1::bigint[]) where ${SHARED} limit 1`,
    values: [oids, fields.map(({ type }) => type), fields.map(({ field }) => field)],
  });

/** A field whose value at a place is also in another object of the type; undefined for none. A working copy may share the values of its original. */
export const sharedValue = (
  tx: Queryable,
  { path, below }: Place,
  fields: readonly UniqueField[],
): Promise<UniqueField | undefined> =>
  firstRow<UniqueField>(tx, {
    name: 'unique-shared-value',
    text: `select f.type, f.field from unnest($2::text[], $3::text[]) f(type, field)
      join content c on c.type = f.type where ${AT('c.path', '$4')} and ${SHARED} limit 1`,
    values: [path, fields.map(({ type }) => type), fields.map(({ field }) => field), below],
  });

/** Maximum number of listed values of one field. */
const MAX_LISTED_VALUES = 10;

/**
 * A value of a field that several objects share, with the first and the last path and the number (`viewed`) of the objects that the viewers may view;
 * paths are null for none. `total` is the number of shared values of the field.
 */
export type SharedValue = UniqueField & { total: number; first: string | null; last: string | null; viewed: number };

const SHARED_VALUES = viewed(
  'unique-shared-values',
  (rule) => `select f.type, f.field, v.total, v.first, v.last, v.viewed
      from unnest($1::text[], $2::text[]) with ordinality f(type, field, position)
      cross join lateral (
        select (count(*) over ())::int as total, first, last, viewed
        from (
          select min(c.path) filter (where seen) as first, max(c.path) filter (where seen) as last,
            (count(*) filter (where seen))::int as viewed
          from content c join catalog k on k.oid = c.oid cross join lateral (select ${rule.viewable('$3')} as seen) s
          where c.type = f.type and coalesce(${fieldValue('c', 'f.field')}, 'null') not in ('null', '""') and ${NO_COPY('c')}
          group by ${fieldValue('c', 'f.field')} having count(*) > 1
        ) g order by first nulls last limit ${MAX_LISTED_VALUES}
      ) v order by f.position, v.first nulls last`,
);

/** The values of these fields that several objects share, at most ten for a field; values of content that the viewers may view come first. */
export function sharedValues(
  tx: Queryable,
  fields: readonly UniqueField[],
  { principals, rule }: Viewers,
): Promise<SharedValue[]> {
  return tx.query<SharedValue>({
    ...SHARED_VALUES(rule),
    values: [fields.map(({ type }) => type), fields.map(({ field }) => field), principals],
  });
}
