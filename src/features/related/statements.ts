import { contentSql, type Queryable } from '#core';
import type { RelatedRow, RelatedScope } from './statements/full-text.ts';

/** An object without a vector, or with a vector that is older than its last change. */
export type Unembedded = {
  oid: number;
  /** Time of the last change as text, with all digits. */
  modified: string;
  title: string;
  description: string;
  fields: Record<string, unknown>;
};

/** A vector of length 1, computed from the object as it was at `modified`. */
type Embedding = { oid: number; modified: string; vector: number[] };

const SELECT_STALE = `select c.oid, c.modified::text as modified, coalesce(c.fields->>'title', '') as title,
    coalesce(c.fields->>'description', '') as description, ${contentSql.ALL_FIELDS}
  from content c left join embedding e on e.oid = c.oid and e.model = $1
  where (e.oid is null or e.modified < c.modified)`;

/** Selects the given objects that have no up-to-date vector of the model. */
export const unembeddedAmong = (db: Queryable, model: string, oids: readonly number[]): Promise<Unembedded[]> =>
  db.query<Unembedded>({
    name: 'embedding-among',
    text: `${SELECT_STALE} and c.oid = any($2) order by c.oid`,
    values: [model, oids],
  });

/**
 * The next objects above the number `after` without an up-to-date vector of the model, in the order of their numbers.
 */
export const unembeddedAfter = (db: Queryable, model: string, after: number, limit: number): Promise<Unembedded[]> =>
  db.query<Unembedded>({
    name: 'embedding-after',
    text: `${SELECT_STALE} and c.oid > $2 order by c.oid limit $3`,
    values: [model, after, limit],
  });

/** One bit for each number: set where it is above zero. */
const signsOf = (vector: readonly number[]): string => vector.map((number) => (number > 0 ? '1' : '0')).join('');

/** Stores vectors of a model. Objects that no longer exist are skipped; a vector of a newer state stays. */
export async function writeEmbeddings(db: Queryable, model: string, embeddings: readonly Embedding[]): Promise<void> {
  const rows = embeddings.map(({ oid, modified, vector }) => ({
    oid,
    modified,
    signs: signsOf(vector),
    vector: `{${vector.join(',')}}`,
  }));
  await db.query({
    name: 'embedding-write',
    text: `insert into embedding (oid, model, modified, signs, vector)
      select oid, $1, n.modified::timestamptz, n.signs::bit varying, n.vector::real[]
      from jsonb_to_recordset($2::jsonb) n(oid bigint, modified text, signs text, vector text) join content c using (oid)
      on conflict (oid) do update set model = excluded.model, modified = excluded.modified, signs = excluded.signs, vector = excluded.vector
      where embedding.model <> excluded.model or embedding.modified <= excluded.modified`,
    values: [model, JSON.stringify(rows)],
  });
}

/** Number of objects whose vectors are compared in full: the objects that differ in the fewest signs, twenty times as many as are listed. */
const MAX_CANDIDATES = 100;

/**
 * The signs of all vectors are compared with those of `own` first, which is quick; permissions are then checked one by one
 * from the nearest object on, until there are enough candidates.
 */
const best = (rule: contentSql.ViewRule, own: string, others: string) => `with own as materialized (${own}),
  candidates as materialized (
    select near.oid
    from (
      select e.oid, bit_count(e.signs # own.signs) as differing from own join embedding e on length(e.signs) = length(own.signs)
      where e.model = $5 and ${others} order by differing, e.oid
    ) near
    cross join lateral (
      select from catalog k join content c on c.oid = k.oid
      where k.oid = near.oid and c.type <> all($3::text[]) and ${rule.visibleNow('$2')}
      offset 0
    ) visible
    order by near.differing, near.oid limit ${MAX_CANDIDATES}
  ),
  best as (
    select e.oid, (select sum(a::float8 * b) from unnest(e.vector, own.vector) pair(a, b)) as cosine
    from own, candidates join embedding e using (oid) order by cosine desc, e.oid limit $4
  )`;

const NEAREST = contentSql.viewed(
  'embedding-related',
  (rule) => `${best(rule, 'select signs, vector from embedding where oid = $1 and model = $5', 'e.oid <> $1')}
  select ${contentSql.LISTED_COLUMNS},
    greatest(0, least(1, best.cosine))::float8 as similarity
  from best join content c on c.oid = best.oid
  order by best.cosine desc, c.oid`,
);

const NEAREST_TO = contentSql.viewed(
  'embedding-nearest',
  (rule) => `${best(rule, 'select $1::bit varying as signs, $6::real[] as vector', 'true')}
  select oid from best where cosine > 0 order by cosine desc, oid`,
);

/** The scope of a comparison with a text: the viewers, the excluded types, and the maximum number of objects. */
export type TextScope = Omit<RelatedScope, 'oid'>;

/** The numbers of the objects whose vectors of a model have the largest cosine with a vector of length 1. One statement. */
export async function nearestTo(
  db: Queryable,
  vector: readonly number[],
  { principals, rule, hiddenTypes, limit, model }: TextScope & { model: string },
): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    ...NEAREST_TO(rule),
    values: [signsOf(vector), principals, hiddenTypes, limit, model, `{${vector.join(',')}}`],
  });
  return rows.map(({ oid }) => oid);
}

/**
 * The objects whose vectors have the largest cosine with the vector of the object `oid`, as far as the viewers may view them. Objects of
 * `hiddenTypes` are left out. Empty when the object itself has no vector of the model. One statement.
 */
export const nearestRows = (
  db: Queryable,
  { oid, principals, rule, hiddenTypes, limit, model }: RelatedScope & { model: string },
): Promise<RelatedRow[]> =>
  db.query<RelatedRow>({
    ...NEAREST(rule),
    values: [oid, principals, hiddenTypes, limit, model],
  });
