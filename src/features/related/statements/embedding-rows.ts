import type { Queryable } from '../../../storage/database.ts';

/** An object that has no vector, or one that is older than it. */
export type Unembedded = {
  oid: number;
  /** As text, with all digits. */
  modified: string;
  title: string;
  description: string;
  fields: Record<string, unknown>;
};

/** A vector of length 1 of an object that was changed last at `modified`. */
type Embedding = { oid: number; modified: string; vector: number[] };

const STALE = `select c.oid, c.modified::text as modified, coalesce(c.fields->>'title', '') as title,
    coalesce(c.fields->>'description', '') as description, c.fields
  from content c left join embedding e on e.oid = c.oid and e.model = $1
  where (e.oid is null or e.modified < c.modified)`;

/** Those of the objects that the model has no present vector of. */
export const unembeddedAmong = (db: Queryable, model: string, oids: readonly number[]): Promise<Unembedded[]> =>
  db.query<Unembedded>({
    name: 'embedding-among',
    text: `${STALE} and c.oid = any($2) order by c.oid`,
    values: [model, oids],
  });

/** The first objects beyond the number `after` that the model has no present vector of, in the order of their numbers. */
export const unembeddedAfter = (db: Queryable, model: string, after: number, limit: number): Promise<Unembedded[]> =>
  db.query<Unembedded>({
    name: 'embedding-after',
    text: `${STALE} and c.oid > $2 order by c.oid limit $3`,
    values: [model, after, limit],
  });

/** One bit for each number: set where it is above zero. */
const signsOf = (vector: readonly number[]): string => vector.map((number) => (number > 0 ? '1' : '0')).join('');

/** Keeps vectors of a model. Objects that are gone are passed over; a vector of a newer state stays. */
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
