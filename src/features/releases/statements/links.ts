import { firstRow, type Queryable } from '#core';

/** A link that shows the site as it would be with a release. `creator` is the user with whose rights the release is rehearsed. */
export type ReleaseLink = { id: string; title: string; creator: string; created: Date; expires: Date };

const COLUMNS = 'id, title, creator, created, expires';

/** The links of a release that have not expired at `now`, the newest first. */
export const listLinks = (db: Queryable, release: string, now: Date): Promise<ReleaseLink[]> =>
  db.query<ReleaseLink>({
    text: `select ${COLUMNS} from release_link where release = $1 and expires > $2 order by created desc, id`,
    values: [release, now],
  });

/** Stores a link of a locked release unless the release has `most` already; returns if it did. Takes away its expired ones. */
export async function insertLink(
  tx: Queryable,
  release: string,
  { id, title, creator, created, expires, hash }: ReleaseLink & { hash: string },
  most: number,
): Promise<boolean> {
  await tx.query({
    text: 'delete from release_link where release = $1 and expires <= $2',
    values: [release, created],
  });
  const rows = await tx.query({
    text: `insert into release_link (id, release, title, creator, hash, created, expires)
      select $1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz
      where (select count(*) from release_link where release = $2) < $8 returning 1`,
    values: [id, release, title, creator, hash, created, expires, most],
  });
  return rows.length > 0;
}

/** Removes a link of a release. Returns if it was there. */
export async function deleteLink(tx: Queryable, release: string, id: string): Promise<boolean> {
  const text = 'delete from release_link where release = $1 and id = $2 returning 1';
  return (await tx.query({ text, values: [release, id] })).length > 0;
}

/** The release and the creator of the link with this hash; undefined for none, and for one that has expired at `now`. */
export const linkByHash = (
  db: Queryable,
  hash: string,
  now: Date,
): Promise<{ release: string; creator: string } | undefined> =>
  firstRow(db, {
    name: 'release-link-by-hash',
    text: 'select release, creator from release_link where hash = $1 and expires > $2',
    values: [hash, now],
  });
