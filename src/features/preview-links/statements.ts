import type { Queryable } from '#core';

/** A link that shows content without a login. */
export type PreviewLink = {
  id: string;
  title: string;
  /** True if the link also shows the content below. */
  subtree: boolean;
  creator: string;
  created: Date;
  expires: Date;
};

/** A link as it is listed, with its last use. */
export type ListedLink = PreviewLink & { used: Date | null };

/** The links of an object that have not expired at `now`, the newest first. */
export const listLinks = (db: Queryable, content: number, now: Date): Promise<ListedLink[]> =>
  db.query<ListedLink>({
    text: `select l.id, l.title, l.subtree, l.creator, l.created, l.expires, u.used
      from preview_link l left join preview_link_use u on u.link = l.id
      where l.content = $1 and l.expires > $2 order by l.created desc, l.id`,
    values: [content, now],
  });

/** A link of an object that has not expired at `now`; undefined when the object has no such link. */
export async function findLink(
  db: Queryable,
  content: number,
  { id, now }: { id: string; now: Date },
): Promise<ListedLink | undefined> {
  const rows = await db.query<ListedLink>({
    text: `select l.id, l.title, l.subtree, l.creator, l.created, l.expires, u.used
      from preview_link l left join preview_link_use u on u.link = l.id
      where l.content = $1 and l.id = $2 and l.expires > $3`,
    values: [content, id, now],
  });
  return rows[0];
}

/**
 * Stores a link unless its object has `most` already; returns whether it did. Concurrent calls for an object wait for each other. Removes the expired
 * links of the object.
 */
export async function insertLink(
  tx: Queryable,
  content: number,
  { id, title, subtree, creator, created, expires, hash }: PreviewLink & { hash: string },
  most: number,
): Promise<boolean> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtext('preview-link'), hashtext($1::text))`,
    values: [String(content)],
  });
  await tx.query({
    text: 'delete from preview_link where content = $1 and expires <= $2',
    values: [content, created],
  });
  const rows = await tx.query({
    text: `insert into preview_link (id, content, title, subtree, creator, hash, created, expires)
      select $1::text, $2::bigint, $3::text, $4::boolean, $5::text, $6::text, $7::timestamptz, $8::timestamptz
      where (select count(*) from preview_link where content = $2) < $9 returning 1`,
    values: [id, content, title, subtree, creator, hash, created, expires, most],
  });
  return rows.length > 0;
}

/** Removes a link of an object. Returns whether it was there. */
export async function deletePreviewLink(db: Queryable, content: number, id: string): Promise<boolean> {
  const text = 'delete from preview_link where content = $1 and id = $2 returning 1';
  return (await db.query({ text, values: [content, id] })).length > 0;
}

/** The data that a request with a link needs: `path` is the present place of its object. */
export type PresentedLink = Pick<PreviewLink, 'id' | 'subtree' | 'creator'> & { path: string; used: Date | null };

/** The link with this hash, unless it has expired at `now`. One statement. */
export async function linkByHash(db: Queryable, hash: string, now: Date): Promise<PresentedLink | undefined> {
  const [row] = await db.query<PresentedLink>({
    reads: true,
    name: 'preview-link-by-hash',
    text: `select l.id, l.subtree, l.creator, c.path, u.used
      from preview_link l join content c on c.oid = l.content left join preview_link_use u on u.link = l.id
      where l.hash = $1 and l.expires > $2`,
    values: [hash, now],
  });
  return row;
}

/** Notes a use, unless a use after `before` is noted. Nothing is noted for a link that was revoked meanwhile. */
export async function noteLinkUse(
  db: Queryable,
  { link, used, before }: { link: string; used: Date; before: Date },
): Promise<void> {
  await db.query({
    text: `insert into preview_link_use as u (link, used) select id, $2 from preview_link where id = $1 for key share
      on conflict (link) do update set used = excluded.used where u.used < $3`,
    values: [link, used, before],
  });
}
