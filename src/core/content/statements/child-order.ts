import type { Queryable } from '../../../database/database.ts';

/** A child and its place. Places have gaps; children with the same place stand in the order of their oid. */
export type Place = { oid: number; name: string; position: number };

/** The named children of a container, in their order. */
export const placesOf = (db: Queryable, parent: number, names: string[]): Promise<Place[]> =>
  db.query<Place>({
    name: 'places-of',
    text: 'select oid, name, position from content where parent = $1 and name = any($2) order by position, oid',
    values: [parent, names],
  });

/** Up to `limit` siblings before or after a place, the nearest first. */
export function neighbours(
  db: Queryable,
  parent: number,
  of: Place,
  direction: 'before' | 'after',
  limit: number,
): Promise<Place[]> {
  const [compare, order] = direction === 'before' ? ['<', 'desc'] : ['>', 'asc'];
  return db.query<Place>({
    name: `neighbours-${direction}`,
    text: `select oid, name, position from content where parent = $1 and (position, oid) ${compare} ($2, $3)
      order by position ${order}, oid ${order} limit $4`,
    values: [parent, of.position, of.oid, limit],
  });
}

/** Gives children their places. */
export async function setPositions(db: Queryable, places: readonly { oid: number; position: number }[]): Promise<void> {
  await db.query({
    name: 'set-positions',
    text: `update content c set position = n.position from unnest($1::bigint[], $2::float8[]) n(oid, position)
      where n.oid = c.oid`,
    values: [places.map(({ oid }) => oid), places.map(({ position }) => position)],
  });
}

/** Numbers all children of a container from 1 in their present order, when a gap between positions is used up. */
export async function renumberChildren(db: Queryable, parent: number): Promise<void> {
  await db.query({
    name: 'renumber-children',
    text: `update content c set position = n.number
      from (select oid, row_number() over (order by position, oid) as number from content where parent = $1) n
      where n.oid = c.oid and c.position <> n.number`,
    values: [parent],
  });
}

/** Values by which children can be sorted. */
export type SortRow = {
  oid: number;
  position: number;
  name: string;
  title: string;
  type: string;
  owner: string;
  reviewState: string | null;
  created: Date;
  modified: Date;
  effective: Date | null;
  expires: Date | null;
  start: string | null;
  end: string | null;
};

/** All children of a container with their sortable values, in their present order. */
export const sortRows = (db: Queryable, parent: number): Promise<SortRow[]> =>
  db.query<SortRow>({
    name: 'sort-rows',
    text: `select oid, position, name, coalesce(fields->>'title', '') as title, type, owner, review_state as "reviewState", created, modified,
      effective, expires, fields->>'start' as start, fields->>'end' as "end" from content where parent = $1 order by position, oid`,
    values: [parent],
  });
