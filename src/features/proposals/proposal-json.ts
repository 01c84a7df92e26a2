import { type Static, Type } from 'typebox';
import { type RequestContext, type requestBatches, schemas, urlOf } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { mergeBudget } from '#lib/merge/diff3';
import { parseRequests } from './requests.ts';
import type { Reader } from './rights.ts';
import type { ProposalComment } from './statements/comments.ts';
import { type ListedProposal, STATES, type StoredProposal } from './statements/proposals.ts';
import type { Trial } from './trial.ts';
import { withWords } from './words.ts';

const Time = Type.String({ format: 'date-time' });

/** A proposal in lists. */
export const Proposal = Type.Object({
  '@id': schemas.Address,
  id: Type.String(),
  title: Type.String(),
  comment: Type.String({ description: 'The reasons of its creator.' }),
  state: Type.Enum([...STATES]),
  creator: Type.String({ description: 'Id of the user who has handed it in.' }),
  created: Time,
  changed: Type.String({ format: 'date-time', description: 'When its creator changed it last.' }),
  reviewers: Type.Array(Type.String(), { description: 'Ids of the users and groups that are asked.' }),
  targets: Type.Array(
    Type.Object({
      '@id': Type.Optional(schemas.Address),
      path: Type.String(),
      title: Type.Optional(Type.String()),
    }),
    {
      description:
        'The objects that it touches. One that is gone, or that you may not view any more, has only the path that it had.',
    },
  ),
  out_of_date: Type.Boolean({
    description: 'Whether an object that it changes was changed since. False once it is decided.',
  }),
  may_approve: Type.Boolean({
    description: 'Whether you have the rights for its writes, as far as its objects decide.',
  }),
  decided: schemas.Nullable(Time),
  decided_by: schemas.Nullable(Type.String()),
  decision: schemas.Nullable(Type.String(), { description: 'The comment on the decision.' }),
  approved_requests: schemas.Nullable(Type.Array(Type.Integer()), {
    description: 'The numbers of the requests that were done.',
  }),
});

/** A comment on a proposal. */
export const Comment = Type.Object({
  id: Type.String(),
  author: schemas.Nullable(Type.String(), { description: 'Id of the user; null when the user is gone.' }),
  created: Time,
  text: Type.String(),
});

/** A whole proposal. */
export const WholeProposal = Type.Object({
  ...Proposal.properties,
  requests: Type.Array(
    Type.Object({ method: Type.String(), path: Type.String(), body: Type.Optional(schemas.AnyObject()) }),
  ),
  comments: Type.Array(Comment),
  changes: Type.Array(schemas.AnyObject(), {
    description: 'What it would change now, as of a dry run and as you may see it. Empty once it is decided.',
  }),
  conflicts: Type.Array(schemas.AnyObject(), { description: 'What both the proposal and others have changed.' }),
  problem: schemas.Nullable(
    Type.Object({ request: Type.Integer(), status: Type.Integer(), type: Type.String(), message: Type.String() }),
    { description: 'The first request that does not work any more.' },
  ),
});

/** The address of a proposal. */
export const addressOf = (base: string, id: string): string => `${base}/@proposals/${encodeURIComponent(id)}`;

/** The objects that a proposal touches, each once. */
function targetsJson(base: string, reader: Reader, { targets }: ListedProposal): Static<typeof Proposal>['targets'] {
  const byUid = new Map(targets.map((target) => [target.uid, target]));
  return [...byUid.values()].map((target) => {
    const object = reader.seen(target)?.object;
    if (!object) return { path: target.path };
    const { title } = object.fields;
    return { '@id': urlOf(base, object.path), path: object.path, title: typeof title === 'string' ? title : '' };
  });
}

/** A proposal as lists have it. */
export function proposalJson(
  { base }: Pick<RequestContext, 'base'>,
  reader: Reader,
  proposal: ListedProposal,
  mayApprove: boolean,
): Static<typeof Proposal> {
  const { id, title, comment, state, creator, created, changed, reviewers, decided, decidedBy, decision, approved } =
    proposal;
  const isPending = state === 'pending';
  return {
    '@id': addressOf(base, id),
    ...{ id, title, comment, state, creator, reviewers },
    created: created.toISOString(),
    changed: changed.toISOString(),
    targets: targetsJson(base, reader, proposal),
    out_of_date: isPending && reader.isOutOfDate(proposal),
    may_approve: isPending && mayApprove,
    decided: decided?.toISOString() ?? null,
    decided_by: decidedBy,
    decision: isPending ? null : decision,
    approved_requests: approved,
  };
}

/** The changes with the words that differ in their texts. One budget is for all, so that long texts are one piece each. */
function readable(changes: readonly JsonObject[]): JsonObject[] {
  const budget = mergeBudget();
  return changes.map((change) => {
    const { fields } = change;
    return Array.isArray(fields)
      ? { ...change, fields: fields.map((field) => (isJsonObject(field) ? withWords(field, budget) : field)) }
      : change;
  });
}

const NOTHING: Trial = { changes: [], conflicts: [], problem: null };

/** A whole proposal. Without a `trial` it is decided. */
export function wholeJson(
  context: Pick<RequestContext, 'base'>,
  reader: Reader,
  {
    proposal,
    comments,
    trial = NOTHING,
    mayApprove,
  }: {
    proposal: StoredProposal;
    comments: readonly ProposalComment[];
    trial?: Trial | undefined;
    mayApprove: boolean;
  },
): Static<typeof WholeProposal> {
  const works = trial.problem === null && trial.conflicts.length === 0;
  return {
    ...proposalJson(context, reader, proposal, mayApprove && works),
    requests: parseRequests(proposal.requests).map((request: requestBatches.Request) => request),
    comments: comments.map(({ id, author, created, text }) => ({ id, author, created: created.toISOString(), text })),
    changes: readable(trial.changes),
    conflicts: trial.conflicts,
    problem: trial.problem,
  };
}
