import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  batching,
  created,
  defineService,
  has,
  MODIFY,
  noContent,
  notFoundHere,
  ok,
  type RequestContext,
  type Service,
  schemas,
  type Transaction,
  urlOf,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { hashToken } from '#lib/text/random-token';
import { newLinkToken, TOKEN_PARAMETER } from './authenticate.ts';
import { checkExpiry, expiryOf, linkMembers } from './link-terms.ts';
import { deletePreviewLink, findLink, insertLink, type ListedLink, listLinks } from './statements.ts';

/** Maximum number of links of one object. */
const MAX_LINKS = 50;

const Link = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String({ description: 'What it is for.' }),
  subtree: Type.Boolean({
    description: 'Whether it shows everything below, too, as far as its creator may view that.',
  }),
  creator: Type.String({ description: 'Id of the user whose right to view it passes on.' }),
  created: Type.String({ format: 'date-time' }),
  expires: Type.String({ format: 'date-time' }),
  last_used: schemas.Nullable(Type.String({ format: 'date-time' }), { description: 'To five minutes; null: never.' }),
});

const urlOfContent = ({ base, resolved }: RequestContext): string => urlOf(base, resolved.object.path);

const linkJson = (context: RequestContext, link: ListedLink): Static<typeof Link> => ({
  '@id': `${urlOfContent(context)}/@preview-links/${link.id}`,
  id: link.id,
  title: link.title,
  subtree: link.subtree,
  creator: link.creator,
  created: link.created.toISOString(),
  expires: link.expires.toISOString(),
  last_used: link.used?.toISOString() ?? null,
});

/** True if the caller is logged in, and may view and change the content. */
const mayShare = ({ site, caller, resolved }: RequestContext): boolean =>
  caller.id !== null && [VIEW, MODIFY].every((permission) => has(site, caller, resolved, permission));

/** Emits the event of a change of a link. */
const emitChange = (
  { kernel, caller, resolved }: Pick<RequestContext, 'kernel' | 'caller' | 'resolved'>,
  tx: Transaction,
  change: { id: string; change: string },
): Promise<void> =>
  kernel.events.emit('site.changed', { part: 'preview-link', ...change, path: resolved.object.path }, { tx, caller });

const common = { name: '@preview-links', context: 'content', permission: null, checkPermission: mayShare } as const;

/** GET `@preview-links`: the links that show content. */
const getLinks = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the preview links of content that have not expired, the newest first.',
  responses: {
    200: {
      description: 'The links, without their tokens.',
      schema: batching.ListOf(Link),
    },
  },
  async run(context) {
    const items = await listLinks(context.db, context.resolved.object.oid, context.auth.now());
    return ok({
      '@id': `${urlOfContent(context)}/@preview-links`,
      items: items.map((link) => linkJson(context, link)),
      items_total: items.length,
    });
  },
});

/** GET `@preview-links/<id>`: one link. */
const getLink = defineService({
  ...common,
  method: 'GET',
  summary: 'A preview link of content that has not expired.',
  rest: ['{id}'],
  responses: {
    200: { description: 'The link, without its token.', schema: Link },
    404: { description: 'The content has no such link.' },
  },
  async run(context) {
    const { id } = context.params;
    const { oid } = context.resolved.object;
    const now = context.auth.now();
    const found = await findLink(context.db, oid, { id, now });
    if (!found) throw notFoundHere(context, '@preview-links');
    return ok(linkJson(context, found));
  },
});

/** POST `@preview-links`: a new link. */
const postLink = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  summary: 'Makes a link that shows content without a login, as far as the user who asks may view it.',
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(
    {
      title: linkMembers.title,
      subtree: Type.Boolean({
        description: 'Whether it shows everything below, too, as far as you may view that.',
        default: false,
        message: 'must be true or false',
      }),
      expires: linkMembers.expires,
    },
    { examples: [{ title: 'For the printer', subtree: true }] },
  ),
  check: checkExpiry,
  responses: {
    201: {
      description: 'The link with its token, which is not shown again.',
      schema: Type.Object({
        ...Link.properties,
        token: Type.String(),
        url: Type.String({ format: 'uri', description: 'The address of the content with the token.' }),
      }),
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'The time is not in the next days, or there are too many links.' },
  },
  async run(context) {
    const { kernel, caller, resolved, body, auth } = context;
    const { id: creator } = caller;
    if (creator === null) throw new Error('A preview link was asked for by nobody');
    const now = auth.now();
    const token = newLinkToken();
    const link = {
      ...{ id: randomUUID(), title: body.title, subtree: body.subtree, creator, created: now },
      expires: expiryOf(now, body.expires),
    };
    const added = await kernel.db.transaction(async (tx) => {
      const fits = await insertLink(tx, resolved.object.oid, { ...link, hash: hashToken(token) }, MAX_LINKS);
      if (fits) await emitChange(context, tx, { id: link.id, change: 'created' });
      return fits;
    });
    if (!added) throw new BadRequest(`This has ${MAX_LINKS} preview links: revoke one that is not used any more.`);
    const json = linkJson(context, { ...link, used: null });
    return created(
      { ...json, token, url: `${urlOfContent(context)}?${TOKEN_PARAMETER}=${token}` },
      { Location: json['@id'] },
    );
  },
});

/** DELETE `@preview-links/<id>`: revokes a link. */
const deleteLink = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Revokes a preview link: it shows nothing any more.',
  rest: ['{id}'],
  responses: { 204: { description: 'Revoked.' }, 404: { description: 'The content has no such link.' } },
  async run(context) {
    const { id } = context.params;
    const { oid } = context.resolved.object;
    await context.kernel.db.transaction(async (tx) => {
      if (!(await deletePreviewLink(tx, oid, id))) throw notFoundHere(context, '@preview-links');
      await emitChange(context, tx, { id, change: 'revoked' });
    });
    return noContent();
  },
});

export const previewLinkServices: Service[] = [getLinks, getLink, postLink, deleteLink];
