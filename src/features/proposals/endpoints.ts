import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  has,
  ok,
  type RequestContext,
  requestBatches,
  type Service,
  schemas,
  urlOf,
  VIEW,
} from '#core';
import { BadRequest, Conflict, Forbidden } from '#lib/errors';
import { emitChange } from './changed.ts';
import { mayApprove, readerOf, requireProposal, respondWhole } from './found-proposal.ts';
import { rehearseHandIn } from './hand-in.ts';
import { queueAskMails, queueNewMails } from './mail.ts';
import { proposalSettings } from './panel.ts';
import { addressOf, Proposal, proposalJson, WholeProposal, wholeJson } from './proposal-json.ts';
import {
  countPending,
  insertProposal,
  listProposals,
  lockHandIns,
  STATES,
  updateProposal,
} from './statements/proposals.ts';

/** Bytes of a proposal. */
const MAX_BYTES = 1024 * 1024;
const MAX_TITLE = 200;
const MAX_COMMENT = 10_000;
const MAX_REVIEWERS = 20;
const MAX_ID = 200;
/** Pending proposals of a site. */
const MAX_PENDING = 1000;
/** Proposals that one list looks through, the newest first: all pending ones. */
const MAX_LISTED = 1000;

/** Says if the caller is logged in and may view the content. */
export const mayVisit = ({ site, caller, resolved }: RequestContext): boolean =>
  caller.id !== null && has(site, caller, resolved, VIEW);

export const common = { name: '@proposals', context: 'content', permission: null, checkPermission: mayVisit } as const;

const Requests = Type.Array(
  Type.Object({
    method: Type.Union(
      ['POST', 'PATCH', 'DELETE'].map((method) => Type.Literal(method)),
      { message: 'must be POST, PATCH or DELETE' },
    ),
    path: requestBatches.Path,
    body: Type.Optional(requestBatches.Body),
  }),
  requestBatches.LIST,
);

const Body = {
  title: Type.Refine(
    schemas.Text({
      description: 'What it is about.',
      maxLength: MAX_TITLE,
      message: { required: 'Say what it is about.' },
    }),
    (title) => title.trim() !== '',
    () => 'Say what it is about.',
  ),
  comment: schemas.Text({ description: 'Reasons.', maxLength: MAX_COMMENT, default: '' }),
  requests: Requests,
  reviewers: Type.Array(schemas.Text({ maxLength: MAX_ID, minLength: 1 }), {
    description: `Ids of users and groups that are asked: ${MAX_REVIEWERS} at most.`,
    maxItems: MAX_REVIEWERS,
    default: [],
    message: { type: 'must be a list of ids', maxItems: `must have ${MAX_REVIEWERS} ids at most` },
  }),
};

const EXAMPLE = {
  title: 'Prices of June',
  requests: [{ method: 'PATCH', path: '/prices', body: { description: 'Valid until July' } }],
};

const each = (ids: readonly string[]): string[] => [...new Set(ids)];

/** GET `@proposals`: the queue. */
const getProposals = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the proposals that you see and that touch this content or something below it, the newest first.',
  query: Type.Object({
    ...batching.Query('proposals', { size: 25, most: 100 }),
    state: schemas.Choice([...STATES, 'all'], { description: 'How they stand.', default: 'pending' }),
    path: Type.Optional(
      schemas.Text({ description: 'Only what touches this path or something below it.', maxLength: 10_000 }),
    ),
    creator: Type.Optional(schemas.Text({ description: 'Only those of the user with this id.', maxLength: MAX_ID })),
    reviewer: Type.Optional(
      schemas.Text({ description: 'Only those for which the user or group with this id is asked.', maxLength: MAX_ID }),
    ),
  }),
  responses: {
    200: {
      description: `The proposals; of decided ones the newest ${MAX_LISTED} are looked through.`,
      schema: batching.BatchOf(Proposal),
    },
  },
  async run(context) {
    const { base, query, searchParams, resolved } = context;
    const { state, creator, reviewer } = query;
    const here = resolved.object.path;
    const places = [here, ...(query.path === undefined ? [] : [query.path.replace(/(?<=.)\/+$/, '')])].filter(
      (path) => path !== '/',
    );
    const filter = { state: state === 'all' ? undefined : state, creator, reviewer, path: places.at(-1) };
    const found = await listProposals(context.db, filter, MAX_LISTED);
    const reader = await readerOf(context, found);
    const seen = found.filter(
      (proposal) => reader.sees(proposal) && places.every((path) => reader.touches(proposal, path)),
    );
    const part = batching.of(query, searchParams);
    const url = `${urlOf(base, here)}/@proposals`;
    return ok({
      '@id': url,
      items: seen
        .slice(part.start, part.start + part.size)
        .map((proposal) => proposalJson(context, reader, proposal, mayApprove(reader, proposal))),
      items_total: seen.length,
      ...batching.linksOf(url, part, seen.length),
    });
  },
});

/** GET `@proposals/<id>`: one proposal. */
const getProposal = defineService({
  ...common,
  method: 'GET',
  together: true,
  summary: 'A proposal with its comments and, while it is pending, with what would happen now.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The proposal.', schema: WholeProposal },
    404: { description: 'There is no such proposal, or you may not see it.' },
  },
  run: async (context) => ok(await respondWhole(context, await requireProposal(context, context.params.id))),
});

/** POST `@proposals`: a new proposal. */
const postProposal = defineService({
  ...common,
  method: 'POST',
  scope: 'propose',
  together: true,
  summary: 'Hands in writes for approval. They are rehearsed, and what cannot work is refused.',
  bodyLimit: MAX_BYTES,
  body: Type.Object(Body, { examples: [EXAMPLE] }),
  responses: {
    201: {
      description: 'The proposal.',
      schema: WholeProposal,
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'A request cannot work, or is not possible in a proposal, or too many proposals are pending.' },
  },
  async run(context) {
    const { kernel, caller, site, body, auth, base } = context;
    const { id: creator } = caller;
    if (creator === null) throw new Error('A proposal was handed in by nobody');
    const { requests, targets, changes } = await rehearseHandIn(context, body.requests);
    const now = auth.now();
    const written = {
      ...{ id: randomUUID(), title: body.title.trim(), comment: body.comment, targets },
      requests: JSON.stringify(requests),
      reviewers: each(body.reviewers),
    };
    await kernel.db.transaction(async (tx) => {
      await lockHandIns(tx);
      const pending = await countPending(tx, creator);
      const most = proposalSettings(site).pending_per_user;
      if (pending.own >= most)
        throw new BadRequest(`You have ${most} pending proposals: wait until one is decided, or withdraw one.`);
      if (pending.all >= MAX_PENDING)
        throw new BadRequest(
          `The site has ${MAX_PENDING} pending proposals: some must be decided before there are more.`,
        );
      await insertProposal(tx, { ...written, creator, created: now });
      await emitChange(context, tx, { ...written, creator }, 'created');
      await queueNewMails(tx, kernel, site, written);
    });
    const proposal = {
      ...{ ...written, creator, created: now, changed: now, state: 'pending' as const },
      ...{ decided: null, decidedBy: null, decision: '', approved: null },
    };
    const reader = await readerOf(context, [proposal]);
    const trial = { changes, conflicts: [], problem: null };
    const json = wholeJson(context, reader, {
      proposal,
      comments: [],
      trial,
      mayApprove: mayApprove(reader, proposal),
    });
    return created(json, { Location: addressOf(base, proposal.id) });
  },
});

/** PATCH `@proposals/<id>`: other words, other requests. */
const patchProposal = defineService({
  ...common,
  method: 'PATCH',
  scope: 'propose',
  together: true,
  summary: 'Changes a pending proposal of your own. New requests are rehearsed, and begin from the present state.',
  rest: ['{id}'],
  bodyLimit: MAX_BYTES,
  body: schemas.Changes(Type.Object(Body), { examples: [{ title: 'Prices of July' }] }),
  responses: {
    200: { description: 'The proposal.', schema: WholeProposal },
    404: { description: 'There is no such proposal, or you may not see it.' },
    409: { description: 'It is decided.' },
  },
  async run(context) {
    const { kernel, params, body, auth } = context;
    const { proposal, reader } = await requireProposal(context, params.id, { isLocked: true });
    if (!reader.isCreator(proposal)) throw new Forbidden('Only who has handed it in may change it.');
    if (proposal.state !== 'pending') throw new Conflict('The proposal is decided already.');
    const handedIn = body.requests && (await rehearseHandIn(context, body.requests));
    const changed = {
      ...proposal,
      title: body.title?.trim() ?? proposal.title,
      comment: body.comment ?? proposal.comment,
      reviewers: body.reviewers ? each(body.reviewers) : proposal.reviewers,
      ...(handedIn ? { requests: JSON.stringify(handedIn.requests), targets: handedIn.targets } : {}),
      changed: auth.now(),
    };
    await kernel.db.transaction(async (tx) => {
      await updateProposal(tx, changed);
      await emitChange(context, tx, changed, 'edited');
      const added = changed.reviewers.filter((id) => !proposal.reviewers.includes(id));
      await queueAskMails(tx, kernel, context.site, { id: changed.id, reviewers: added });
    });
    return ok(await respondWhole(context, await requireProposal(context, params.id)));
  },
});

export const proposalServices: Service[] = [getProposals, getProposal, postProposal, patchProposal];
