import type { Queryable } from '#core';

/** A comment on a proposal. `author` is the id of a user; null once the user is gone. */
export type ProposalComment = { id: string; author: string | null; created: Date; text: string };

/** The comments on a proposal, the oldest first. */
export const listComments = (db: Queryable, proposal: string): Promise<ProposalComment[]> =>
  db.query<ProposalComment>({
    name: 'list-proposal-comments',
    text: 'select id, author, created, text from proposal_comment where proposal = $1 order by created, id',
    values: [proposal],
  });

/** Adds a comment to a locked proposal unless it has `most` already. Says if it did. */
export async function insertComment(
  tx: Queryable,
  proposal: string,
  { id, author, created, text }: ProposalComment,
  most: number,
): Promise<boolean> {
  const rows = await tx.query({
    text: `insert into proposal_comment (id, proposal, author, created, text)
      select $1::text, $2::text, $3::text, $4::timestamptz, $5::text
      where (select count(*) from proposal_comment where proposal = $2) < $6 returning 1`,
    values: [id, proposal, author, created, text, most],
  });
  return rows.length > 0;
}
