import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { created, defineService, ok, type RequestContext, type Service, schemas } from '#core';
import { BadRequest, Conflict, Forbidden } from '#lib/errors';
import { performApproved } from './approval.ts';
import { emitChange } from './changed.ts';
import { common } from './endpoints.ts';
import { type FoundProposal, mayApprove, requireProposal, respondWhole } from './found-proposal.ts';
import { queueCommentMails, queueDecisionMail } from './mail.ts';
import { Comment, WholeProposal } from './proposal-json.ts';
import { insertComment } from './statements/comments.ts';
import { type Decision, decideProposal, findProposal } from './statements/proposals.ts';

const MAX_COMMENT = 10_000;
/** Comments on one proposal. */
const MAX_COMMENTS = 200;

const REFUSED = {
  404: { description: 'There is no such proposal, or you may not see it.' },
  409: { description: 'It is decided already.' },
} as const;

/** A locked proposal that waits for a decision. Throws NotFound, and Conflict for one that is decided. */
async function requirePending(context: RequestContext<{ id: string }, object, object>): Promise<FoundProposal> {
  const found = await requireProposal(context, context.params.id, { isLocked: true });
  const { state } = found.proposal;
  if (state !== 'pending') throw new Conflict('The proposal is decided already.');
  return found;
}

/** Ends a proposal, with its event and its mail. */
async function decide(
  context: RequestContext<object, object, object>,
  { proposal }: FoundProposal,
  {
    state,
    comment,
    approved = null,
  }: Pick<Decision, 'comment'> & { state: 'approved' | 'rejected' | 'withdrawn'; approved?: number[] | null },
): Promise<void> {
  const { kernel, site, caller, auth } = context;
  await kernel.db.transaction(async (tx) => {
    await decideProposal(tx, proposal.id, { state, by: caller.id, at: auth.now(), comment, approved });
    await emitChange(context, tx, proposal, state);
    await queueDecisionMail(tx, kernel, site, { proposal, by: caller.id });
  });
}

const comment = (options: { default?: string } = {}) =>
  schemas.Text({ description: 'Reasons.', maxLength: MAX_COMMENT, ...options });

/** POST `@proposals/<id>/approve`. */
const approve = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  together: true,
  summary: 'Does the writes of a proposal, with your rights and in the name of its creator: all of them, or none.',
  rest: ['{id}/approve'],
  body: Type.Object(
    {
      comment: comment({ default: '' }),
      changed: Type.Optional(
        schemas.Instant({
          description:
            'The member `changed` of the proposal that you have read: 409 when its creator has changed it since.',
        }),
      ),
      requests: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0 }), {
          description: 'The numbers of the requests to be done, counted from 0. Without it, all.',
          minItems: 1,
          maxItems: 100,
          message: 'must be a list of numbers of requests',
        }),
      ),
      on_conflict: Type.Optional(
        schemas.Choice(['mine', 'theirs'], {
          description:
            'The side that counts where both changed the same: the proposal is `mine`. Without it, that is 409.',
        }),
      ),
    },
    { examples: [{ comment: 'Thank you' }] },
  ),
  responses: {
    200: {
      description: 'The proposal, with what was done.',
      schema: Type.Object({
        ...WholeProposal.properties,
        results: Type.Array(
          Type.Object({ request: Type.Integer(), status: Type.Integer(), '@id': Type.Optional(schemas.Address) }),
        ),
      }),
    },
    404: REFUSED[404],
    409: {
      description: 'It is decided already; or others have changed the same, which `conflicts` says. Nothing was done.',
    },
  },
  async run(context) {
    const found = await requirePending(context);
    const { proposal, reader } = found;
    if (!mayApprove(reader, proposal))
      throw new Forbidden(
        reader.isCreator(proposal) && reader.mayDo(proposal)
          ? 'Somebody else must approve your proposals.'
          : 'You may not do all writes of this proposal.',
      );
    const { requests: numbers, on_conflict: prefer, comment: words, changed } = context.body;
    if (changed !== undefined && changed.getTime() !== proposal.changed.getTime())
      throw new Conflict('The proposal was changed since you loaded it. Load it again.');
    const { results, done } = await performApproved(context, proposal, { numbers, prefer });
    await decide(context, found, { state: 'approved', comment: words, approved: done });
    const after = await requireDecided(context, found);
    return ok({ ...(await respondWhole(context, after)), results });
  },
});

/** The proposal after its decision: what it touched may be gone for those who saw it before. */
async function requireDecided(
  context: RequestContext<object, object, object>,
  { proposal, reader }: FoundProposal,
): Promise<FoundProposal> {
  const { kernel } = context;
  const stored = await findProposal(kernel.db, proposal.id);
  return { proposal: stored ?? proposal, reader };
}

/** POST `@proposals/<id>/reject`. */
const reject = defineService({
  ...common,
  method: 'POST',
  together: true,
  summary: 'Ends a proposal without doing anything.',
  rest: ['{id}/reject'],
  body: Type.Object({ comment: comment() }, { examples: [{ comment: 'The prices stay' }] }),
  responses: { 200: { description: 'The proposal.', schema: WholeProposal }, ...REFUSED },
  async run(context) {
    const found = await requirePending(context);
    const { proposal, reader } = found;
    if (!reader.mayDo(proposal) && !reader.isAsked(proposal))
      throw new Forbidden('Only who may do its writes, or is asked, may reject a proposal. You may withdraw your own.');
    await decide(context, found, { state: 'rejected', comment: context.body.comment });
    return ok(await respondWhole(context, await requireDecided(context, found)));
  },
});

/** POST `@proposals/<id>/withdraw`. */
const withdraw = defineService({
  ...common,
  method: 'POST',
  scope: 'propose',
  together: true,
  summary: 'Ends a proposal of your own.',
  rest: ['{id}/withdraw'],
  responses: { 200: { description: 'The proposal.', schema: WholeProposal }, ...REFUSED },
  async run(context) {
    const found = await requirePending(context);
    if (!found.reader.isCreator(found.proposal))
      throw new Forbidden('Only who has handed it in may withdraw a proposal.');
    await decide(context, found, { state: 'withdrawn', comment: '' });
    return ok(await respondWhole(context, await requireDecided(context, found)));
  },
});

/** POST `@proposals/<id>/comments`. */
const postComment = defineService({
  ...common,
  method: 'POST',
  scope: 'propose',
  together: true,
  summary: 'Adds a comment to a proposal.',
  rest: ['{id}/comments'],
  body: Type.Object(
    {
      text: Type.Refine(
        schemas.Text({ maxLength: MAX_COMMENT, message: { required: 'Write a comment.' } }),
        (text) => text.trim() !== '',
        () => 'Write a comment.',
      ),
    },
    { examples: [{ text: 'Since when?' }] },
  ),
  responses: {
    201: { description: 'The comment.', schema: Comment },
    400: { description: 'There is no text, or there are too many comments.' },
    404: REFUSED[404],
  },
  async run(context) {
    const { kernel, site, caller, auth, body, params } = context;
    const { proposal } = await requireProposal(context, params.id, { isLocked: true });
    const one = { id: randomUUID(), author: caller.id, created: auth.now(), text: body.text.trim() };
    await kernel.db.transaction(async (tx) => {
      if (!(await insertComment(tx, proposal.id, one, MAX_COMMENTS)))
        throw new BadRequest(`The proposal has ${MAX_COMMENTS} comments: there can be no more.`);
      await emitChange(context, tx, proposal, 'commented');
      await queueCommentMails(tx, kernel, site, { proposal, author: caller.id });
    });
    return created({ ...one, created: one.created.toISOString() });
  },
});

export const decisionServices: Service[] = [approve, reject, withdraw, postComment];
