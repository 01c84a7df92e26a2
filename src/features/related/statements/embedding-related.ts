import type { Queryable } from '../../../storage/database.ts';
import { LISTED_COLUMNS } from '../../../storage/statements/nav-columns.ts';
import type { RelatedRow, RelatedScope } from '../../../storage/statements/nav-related.ts';
import { VISIBLE_NOW } from '../../../storage/statements/visible-now.ts';

/** Objects whose vectors are compared in full: those that differ in the fewest signs, twenty times as many as are told. */
const MAX_CANDIDATES = 100;

/**
 * Signs are compared quickly, for all objects; then rights are looked up one by one, from the nearest on, until there are
 * enough candidates.
 */
const TEXT = `with own as materialized (select signs, vector from embedding where oid = $1 and model = $5),
  candidates as materialized (
    select near.oid
    from (
      select e.oid, bit_count(e.signs # own.signs) as differing from own join embedding e on length(e.signs) = length(own.signs)
      where e.model = $5 and e.oid <> $1 order by differing, e.oid
    ) near
    cross join lateral (
      select from catalog k join content c on c.oid = k.oid
      where k.oid = near.oid and c.type <> all($3::text[]) and ${VISIBLE_NOW('$2')}
      offset 0
    ) visible
    order by near.differing, near.oid limit ${MAX_CANDIDATES}
  ),
  best as (
    select e.oid, (select sum(a::float8 * b) from unnest(e.vector, own.vector) pair(a, b)) as cosine
    from own, candidates join embedding e using (oid) order by cosine desc, e.oid limit $4
  )
  select ${LISTED_COLUMNS},
    greatest(0, least(1, best.cosine))::float8 as similarity
  from best join content c on c.oid = best.oid
  order by best.cosine desc, c.oid`;

/**
 * The objects whose vectors of the model are nearest to that of the one with the number `oid`, by the cosine, as far as
 * someone with `principals` may view them. `hiddenTypes` are left out. None when the object itself has no vector.
 * One statement.
 */
export const nearestRows = (
  db: Queryable,
  { oid, principals, hiddenTypes, limit, model }: RelatedScope & { model: string },
): Promise<RelatedRow[]> =>
  db.query<RelatedRow>({
    name: 'embedding-related',
    text: TEXT,
    values: [oid, principals, hiddenTypes, limit, model],
  });
