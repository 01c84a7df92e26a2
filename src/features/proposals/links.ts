import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { batching, created, defineService, noContent, ok, type RequestContext, type Service } from '#core';
import { BadRequest, Conflict, Forbidden, NotFound } from '#lib/errors';
import { hashToken } from '#lib/text/random-token';
import { checkExpiry, expiryOf, linkMembers } from '../preview-links/link-terms.ts';
import { emitChange } from './changed.ts';
import { common } from './endpoints.ts';
import { type FoundProposal, requireProposal } from './found-proposal.ts';
import { MAX_LINKS, newLinkToken, previewAddress } from './link-viewer.ts';
import { addressOf } from './proposal-json.ts';
import { deleteExpiredLinks, deleteLink, insertLink, listLinks, type ProposalLink } from './statements/links.ts';

/** Links in a list. */
const MAX_LISTED = 500;

const Link = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String({ description: 'What it is for.' }),
  creator: Type.String({ description: 'Id of the user whose rights it passes on.' }),
  created: Type.String({ format: 'date-time' }),
  expires: Type.String({ format: 'date-time' }),
});

const linkJson = (base: string, { id, proposal, title, creator, ...times }: ProposalLink): Static<typeof Link> => ({
  '@id': `${addressOf(base, proposal)}/preview-links/${encodeURIComponent(id)}`,
  ...{ id, title, creator },
  created: times.created.toISOString(),
  expires: times.expires.toISOString(),
});

/** A proposal for somebody who may do its writes. Throws NotFound, and Forbidden for others who see it. */
async function requireDoable(context: RequestContext<{ id: string }, object, object>): Promise<FoundProposal> {
  const found = await requireProposal(context, context.params.id);
  if (!found.reader.mayDo(found.proposal)) throw new Forbidden('You may not do all writes of this proposal.');
  return found;
}

const GONE = { 404: { description: 'There is no such proposal, or you may not see it.' } } as const;

/** GET `@proposals/<id>/preview-links`. */
const getLinks = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the links that show a proposal without a login, for those who may do its writes.',
  rest: ['{id}/preview-links'],
  responses: {
    200: { description: 'The links that have not expired, without their tokens.', schema: batching.ListOf(Link) },
    ...GONE,
  },
  async run(context) {
    const { proposal } = await requireDoable(context);
    const links = await listLinks(context.db, proposal.id, context.auth.now(), MAX_LISTED);
    return ok({
      '@id': `${addressOf(context.base, proposal.id)}/preview-links`,
      items: links.map((link) => linkJson(context.base, link)),
      items_total: links.length,
    });
  },
});

/** POST `@proposals/<id>/preview-links`. */
const postLink = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  summary: 'Makes a link that shows the pages of a pending proposal without a login, as they would be.',
  rest: ['{id}/preview-links'],
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(linkMembers, { examples: [{ title: 'For the mayor' }] }),
  check: checkExpiry,
  responses: {
    201: {
      description: 'The link with its token, which is not shown again.',
      schema: Type.Object({
        ...Link.properties,
        token: Type.String(),
        url: Type.String({ format: 'uri', description: 'The address of the preview with the token.' }),
      }),
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'The time is not in the next days, or there are too many links.' },
    ...GONE,
    409: { description: 'It is decided already.' },
  },
  async run(context) {
    const { kernel, caller, body, auth, base } = context;
    const { proposal } = await requireDoable(context);
    const { id: creator } = caller;
    if (creator === null) throw new Error('A link to a proposal was asked for by nobody');
    if (proposal.state !== 'pending') throw new Conflict('The proposal is decided already.');
    const now = auth.now();
    const token = newLinkToken();
    const link = {
      ...{ id: randomUUID(), proposal: proposal.id, title: body.title, creator, created: now },
      expires: expiryOf(now, body.expires),
    };
    const isAdded = await kernel.db.transaction(async (tx) => {
      await deleteExpiredLinks(tx, proposal.id, now);
      const fits = await insertLink(tx, { ...link, hash: hashToken(token) }, MAX_LINKS);
      if (fits) await emitChange(context, tx, proposal, 'link_created');
      return fits;
    });
    if (!isAdded)
      throw new BadRequest(`You have ${MAX_LINKS} links to this proposal: revoke one that is not used any more.`);
    const json = linkJson(base, link);
    return created({ ...json, token, url: previewAddress(base, proposal.id, { token }) }, { Location: json['@id'] });
  },
});

/** DELETE `@proposals/<id>/preview-links/<link>`. */
const deleteLinkOf = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Revokes a link to a proposal: it shows nothing any more.',
  rest: ['{id}/preview-links/{link}'],
  responses: { 204: { description: 'Revoked.' }, 404: { description: 'There is no such proposal or link.' } },
  async run(context) {
    const { proposal } = await requireDoable(context);
    const { link } = context.params;
    await context.kernel.db.transaction(async (tx) => {
      const isFound = !link.includes('\0') && (await deleteLink(tx, proposal.id, link));
      if (!isFound) throw new NotFound(`/@proposals/${proposal.id}/preview-links/${link}`);
      await emitChange(context, tx, proposal, 'link_revoked');
    });
    return noContent();
  },
});

export const linkServices: Service[] = [getLinks, postLink, deleteLinkOf];
