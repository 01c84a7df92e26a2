import { contentSql, type Queryable } from '#core';

/** How a proposal stands. */
export const STATES = ['pending', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
type State = (typeof STATES)[number];

/** The effect of a request on an object that it touches. Of a `view` it only reads the object. */
export type TargetKind = 'add' | 'change' | 'remove' | 'transition' | 'view';

/** An object that a request of a proposal touches, by its UID: where it was, and when it had been changed last. */
export type Target = { request: number; uid: string; path: string; kind: TargetKind; modified: Date };

/** A proposal without its requests, as lists have it. */
export type ListedProposal = {
  id: string;
  creator: string;
  title: string;
  comment: string;
  created: Date;
  changed: Date;
  state: State;
  decided: Date | null;
  decidedBy: string | null;
  decision: string;
  approved: number[] | null;
  targets: Target[];
  reviewers: string[];
};

/** A proposal with the JSON of its requests. */
export type StoredProposal = ListedProposal & { requests: string };

const COLUMNS = `p.id, p.creator, p.title, p.comment, p.created, p.changed, p.state, p.decided, p.decided_by as "decidedBy",
  p.decision, p.approved,
  coalesce((select jsonb_agg(jsonb_build_object('request', t.request, 'uid', t.uid, 'path', t.path, 'kind', t.kind, 'modified', t.modified)
    order by t.request, t.kind, t.path) from proposal_target t where t.proposal = p.id), '[]') as targets,
  array(select r.reviewer from proposal_reviewer r where r.proposal = p.id order by r.reviewer) as reviewers`;

type Row<Proposal extends ListedProposal> = Omit<Proposal, 'targets'> & {
  targets: (Omit<Target, 'modified'> & { modified: string })[];
};

const fromRow = <Proposal extends ListedProposal>({ targets, ...row }: Row<Proposal>) => ({
  ...row,
  targets: targets.map((target): Target => ({ ...target, modified: new Date(target.modified) })),
});

/** Which proposals a list has. An absent member limits nothing. `path` was or is the place of an object that it touches, or above it. */
export type ProposalFilter = {
  state: State | undefined;
  creator: string | undefined;
  reviewer: string | undefined;
  path: string | undefined;
};

/** The proposals of a filter, the newest first. */
export async function listProposals(
  db: Queryable,
  { state, creator, reviewer, path }: ProposalFilter,
  limit: number,
): Promise<ListedProposal[]> {
  const rows = await db.query<Row<ListedProposal>>({
    name: 'list-proposals',
    text: `select ${COLUMNS} from proposal p
      where ($1::text is null or p.state = $1) and ($2::text is null or p.creator = $2)
        and ($3::text is null or exists (select from proposal_reviewer r where r.proposal = p.id and r.reviewer = $3))
        and ($4::text is null or exists (
          select from proposal_target t left join content c on c.uid = t.uid
          where t.proposal = p.id and (${contentSql.AT_OR_BELOW('t.path', '$4::text')} or ${contentSql.AT_OR_BELOW('c.path', '$4::text')})))
      order by p.created desc, p.id limit $5`,
    values: [state ?? null, creator ?? null, reviewer ?? null, path ?? null, limit],
  });
  return rows.map(fromRow);
}

/** A proposal; undefined without one of this id. `isLocked` locks it until the transaction ends. */
export async function findProposal(
  db: Queryable,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<StoredProposal | undefined> {
  const [row] = await db.query<Row<StoredProposal>>({
    name: isLocked ? 'lock-proposal' : 'find-proposal',
    text: `select ${COLUMNS}, p.requests from proposal p where p.id = $1 ${isLocked ? 'for update of p' : ''}`,
    values: [id],
  });
  return row && { ...fromRow(row), requests: row.requests };
}

/** The numbers of pending proposals: of a user, and of the site. */
export async function countPending(db: Queryable, creator: string): Promise<{ own: number; all: number }> {
  const [row] = await db.query<{ own: number; all: number }>({
    text: `select count(*)::int as all, (count(*) filter (where creator = $1))::int as own from proposal where state = 'pending'`,
    values: [creator],
  });
  return row ?? { own: 0, all: 0 };
}

/** A new proposal, or the parts of one that its creator changes. */
export type WrittenProposal = Pick<StoredProposal, 'id' | 'title' | 'comment' | 'requests' | 'targets' | 'reviewers'>;

/** Has those who hand in proposals wait for each other until the transaction ends, so that their number is certain. */
export async function lockHandIns(tx: Queryable): Promise<void> {
  await tx.query({ text: `select pg_advisory_xact_lock(hashtext('proposal'))` });
}

/** Stores a new proposal. */
export async function insertProposal(
  tx: Queryable,
  {
    id,
    title,
    comment,
    requests,
    targets,
    reviewers,
    creator,
    created,
  }: WrittenProposal & { creator: string; created: Date },
): Promise<void> {
  await tx.query({
    text: `insert into proposal (id, creator, title, comment, requests, created, changed) values ($1, $2, $3, $4, $5, $6, $6)`,
    values: [id, creator, title, comment, requests, created],
  });
  await insertTargets(tx, id, targets);
  await insertReviewers(tx, id, reviewers);
}

/** Changes a proposal. */
export async function updateProposal(
  tx: Queryable,
  { id, title, comment, requests, targets, reviewers, changed }: WrittenProposal & { changed: Date },
): Promise<void> {
  await tx.query({
    text: 'update proposal set title = $2, comment = $3, requests = $4, changed = $5 where id = $1',
    values: [id, title, comment, requests, changed],
  });
  await tx.query({ text: 'delete from proposal_target where proposal = $1', values: [id] });
  await insertTargets(tx, id, targets);
  await tx.query({ text: 'delete from proposal_reviewer where proposal = $1', values: [id] });
  await insertReviewers(tx, id, reviewers);
}

async function insertTargets(tx: Queryable, proposal: string, targets: readonly Target[]): Promise<void> {
  await tx.query({
    text: `insert into proposal_target (proposal, request, uid, path, kind, modified)
      select $1, * from unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`,
    values: [
      proposal,
      targets.map(({ request }) => request),
      targets.map(({ uid }) => uid),
      targets.map(({ path }) => path),
      targets.map(({ kind }) => kind),
      targets.map(({ modified }) => modified),
    ],
  });
}

async function insertReviewers(tx: Queryable, proposal: string, reviewers: readonly string[]): Promise<void> {
  await tx.query({
    text: 'insert into proposal_reviewer (proposal, reviewer) select $1, * from unnest($2::text[])',
    values: [proposal, reviewers],
  });
}

/** How a proposal ended. */
export type Decision = {
  state: Exclude<State, 'pending'>;
  by: string | null;
  at: Date;
  comment: string;
  approved: number[] | null;
};

/** Ends a locked proposal. */
export async function decideProposal(
  tx: Queryable,
  id: string,
  { state, by, at, comment, approved }: Decision,
): Promise<void> {
  await tx.query({
    text: `update proposal set state = $2, decided_by = $3, decided = $4, decision = $5, approved = $6::integer[] where id = $1`,
    values: [id, state, by, at, comment, approved],
  });
}

/** Ends pending proposals that were changed last before a time, at most `limit`. Returns their ids, their creators and where the first object is that they touch. */
export const expireProposals = (
  tx: Queryable,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<{ id: string; creator: string; path: string }[]> =>
  tx.query<{ id: string; creator: string; path: string }>({
    text: `update proposal set state = 'expired', decided = $2 where id in (
        select id from proposal where state = 'pending' and changed < $1 order by changed, id limit $3 for update)
      returning id, creator, coalesce((select path from proposal_target t where t.proposal = proposal.id order by request, kind, path limit 1), '/') as path`,
    values: [before, now, limit],
  });

/** Removes proposals that ended before a time, at most `limit`. Returns their number. */
export async function deleteEnded(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query({
    text: `delete from proposal where id in (
        select id from proposal where state <> 'pending' and decided < $1 order by decided, id limit $2) returning 1`,
    values: [before, limit],
  });
  return rows.length;
}
