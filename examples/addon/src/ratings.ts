import { type Queryable, type Static, Type } from 'canopy-server';

/** The ratings of one object. */
export const Ratings = Type.Object({
  average: Type.Union([Type.Number(), Type.Null()]),
  count: Type.Integer(),
});
export type Ratings = Static<typeof Ratings>;

/** Stores the stars that an account gives an object, in place of earlier ones. */
export async function rate(db: Queryable, oid: number, account: string, stars: number): Promise<void> {
  await db.query({
    text: `insert into example_rating (oid, account, stars) values ($1, $2, $3)
      on conflict (oid, account) do update set stars = excluded.stars, given = now()`,
    values: [oid, account, stars],
  });
}

/** The average of the stars of an object, to one decimal, and the number of accounts that gave some. */
export async function ratingsOf(db: Queryable, oid: number): Promise<Ratings> {
  const [row] = await db.query<Ratings>({
    name: 'example-ratings-of',
    text: 'select round(avg(stars), 1)::float8 as average, count(*)::integer as count from example_rating where oid = $1',
    values: [oid],
  });
  return row ?? { average: null, count: 0 };
}

/** Removes all ratings of an object. */
export async function clearRatings(db: Queryable, oid: number): Promise<void> {
  await db.query({ text: 'delete from example_rating where oid = $1', values: [oid] });
}

/** Removes ratings that are older than `days`; returns how many. */
export async function forgetRatings(db: Queryable, days: number): Promise<number> {
  const rows = await db.query({
    text: `delete from example_rating where given < now() - make_interval(days => $1) returning oid`,
    values: [days],
  });
  return rows.length;
}

/** How many ratings there are. */
export async function countRatings(db: Queryable): Promise<number> {
  const [row] = await db.query<{ count: number }>({ text: 'select count(*)::integer as count from example_rating' });
  return row?.count ?? 0;
}

/** How many objects have ratings of more stars than `most`. */
export async function countRatedAbove(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>({
    text: 'select count(distinct oid)::integer as count from example_rating where stars > $1',
    values: [most],
  });
  return row?.count ?? 0;
}

/** The next objects behind `after` that have ratings of more stars than `most`, in ascending order. */
export async function ratedAbove(
  db: Queryable,
  { most, after, limit }: { most: number; after: number; limit: number },
): Promise<number[]> {
  const rows = await db.query<{ oid: number }>({
    text: 'select distinct oid from example_rating where stars > $1 and oid > $2 order by oid limit $3',
    values: [most, after, limit],
  });
  return rows.map(({ oid }) => oid);
}

/** Sets ratings of these objects with more stars than `most` to `most`. */
export async function cutRatings(db: Queryable, oids: readonly number[], most: number): Promise<void> {
  await db.query({
    text: 'update example_rating set stars = $2 where oid = any($1) and stars > $2',
    values: [oids, most],
  });
}
