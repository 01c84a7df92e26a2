import type { Queryable } from '#core';

/** A link that shows a proposal without a login. `creator` is the id of the user whose rights it passes on. */
export type ProposalLink = {
  id: string;
  proposal: string;
  creator: string;
  title: string;
  created: Date;
  expires: Date;
};

const COLUMNS = 'id, proposal, creator, title, created, expires';

/** The links of a proposal that have not expired at `now`, the newest first, at most `limit`. */
export const listLinks = (db: Queryable, proposal: string, now: Date, limit: number): Promise<ProposalLink[]> =>
  db.query<ProposalLink>({
    text: `select ${COLUMNS} from proposal_link where proposal = $1 and expires > $2 order by created desc, id limit $3`,
    values: [proposal, now, limit],
  });

/** The link of a proposal with this hash; undefined without one, and for one that has expired at `now`. */
export async function linkByHash(
  db: Queryable,
  proposal: string,
  { hash, now }: { hash: string; now: Date },
): Promise<ProposalLink | undefined> {
  const [row] = await db.query<ProposalLink>({
    name: 'proposal-link-by-hash',
    text: `select ${COLUMNS} from proposal_link where hash = $1 and proposal = $2 and expires > $3`,
    values: [hash, proposal, now],
  });
  return row;
}

/** Removes the links of a proposal that have expired at `now`. */
export async function deleteExpiredLinks(tx: Queryable, proposal: string, now: Date): Promise<void> {
  await tx.query({ text: 'delete from proposal_link where proposal = $1 and expires <= $2', values: [proposal, now] });
}

/**
 * Stores a link unless its creator has `most` of the proposal. A link with the same id gets the new hash. Says if it is stored. Two links
 * of one proposal wait for each other.
 */
export async function insertLink(
  tx: Queryable,
  { id, proposal, creator, title, created, expires, hash }: ProposalLink & { hash: string },
  most: number,
): Promise<boolean> {
  await tx.query({
    text: `select pg_advisory_xact_lock(hashtext('proposal-link'), hashtext($1::text))`,
    values: [proposal],
  });
  const rows = await tx.query({
    text: `insert into proposal_link as l (id, proposal, creator, title, hash, created, expires)
      select $1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz
      where (select count(*) from proposal_link where proposal = $2 and creator = $3 and id <> $1) < $8
      on conflict (id) do update set hash = excluded.hash, expires = excluded.expires returning 1`,
    values: [id, proposal, creator, title, hash, created, expires, most],
  });
  return rows.length > 0;
}

/** Removes a link of a proposal. Says if it was there. */
export async function deleteLink(db: Queryable, proposal: string, id: string): Promise<boolean> {
  const text = 'delete from proposal_link where proposal = $1 and id = $2 returning 1';
  return (await db.query({ text, values: [proposal, id] })).length > 0;
}
