import { randomUUID } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { batching, created, defineService, kernelWithin, noContent, notFoundHere, ok, type Service } from '#core';
import { BadRequest } from '#lib/errors';
import { hashToken, newToken } from '#lib/text/random-token';
import { TOKEN_PARAMETER } from '../preview-links/authenticate.ts';
import { checkExpiry, expiryOf, linkMembers } from '../preview-links/link-terms.ts';
import { emitChange } from './events.ts';
import { rejectEnded, requireRelease, requireSeen } from './found-release.ts';
import { TOKEN_PREFIX } from './preview.ts';
import { addressOf } from './release-json.ts';
import { common, mayPublish } from './rights.ts';
import { deleteLink, insertLink, listLinks, type ReleaseLink } from './statements/links.ts';

/** Links that one release has at most. */
const MAX_LINKS = 20;

const shown = { ...common, checkPermission: mayPublish } as const;

const Link = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  title: Type.String({ description: 'What it is for.' }),
  creator: Type.String({ description: 'Id of the user with whose rights the release is rehearsed.' }),
  created: Type.String({ format: 'date-time' }),
  expires: Type.String({ format: 'date-time' }),
});

const linkJson = (base: string, release: string, link: ReleaseLink): Static<typeof Link> => ({
  '@id': `${addressOf(base, release)}/preview-links/${link.id}`,
  ...{ id: link.id, title: link.title, creator: link.creator },
  created: link.created.toISOString(),
  expires: link.expires.toISOString(),
});

const NOT_FOUND = { description: 'There is no such release, or it has no such link.' };

/** GET `@releases/<id>/preview-links`. */
const getLinks = defineService({
  ...shown,
  method: 'GET',
  summary: 'Lists the preview links of a release that have not expired, the newest first.',
  rest: ['{id}/preview-links'],
  responses: {
    200: { description: 'The links, without their tokens.', schema: batching.ListOf(Link) },
    404: NOT_FOUND,
  },
  async run(context) {
    const { base, db, auth, params } = context;
    const { release } = await requireRelease(context, params.id);
    const items = await listLinks(db, release.id, auth.now());
    return ok({
      '@id': `${addressOf(base, release.id)}/preview-links`,
      items: items.map((link) => linkJson(base, release.id, link)),
      items_total: items.length,
    });
  },
});

/** POST `@releases/<id>/preview-links`. */
const postLink = defineService({
  ...shown,
  method: 'POST',
  inPerson: true,
  summary: 'Makes a link that shows the site as it would be if you published the release.',
  alone: 'Its response has a secret that is not kept.',
  rest: ['{id}/preview-links'],
  body: Type.Object(linkMembers, { examples: [{ title: 'For the board' }] }),
  check: checkExpiry,
  responses: {
    201: {
      description: 'The link with its token, which is not shown again.',
      schema: Type.Object({
        ...Link.properties,
        token: Type.String(),
        url: Type.String({ format: 'uri', description: 'The address of the site with the token.' }),
      }),
      headers: { Location: { description: 'Its address.' } },
    },
    400: { description: 'The time is not in the next days, or there are too many links.' },
    404: NOT_FOUND,
    409: { description: 'The release is published already.' },
  },
  async run(context) {
    const { kernel, caller, body, auth, base, params } = context;
    const { id: creator } = caller;
    if (creator === null) throw new Error('A preview link was asked for by nobody');
    const now = auth.now();
    const token = newToken(TOKEN_PREFIX);
    const link = {
      ...{ id: randomUUID(), title: body.title, creator, created: now },
      expires: expiryOf(now, body.expires),
    };
    const json = await kernel.db.transaction(async (tx) => {
      const within = kernelWithin(kernel, tx);
      const found = await requireRelease({ ...context, kernel: within }, params.id, { isLocked: true });
      const { release } = found;
      rejectEnded(release);
      requireSeen(found);
      if (!(await insertLink(tx, release.id, { ...link, hash: hashToken(token) }, MAX_LINKS)))
        throw new BadRequest(`The release has ${MAX_LINKS} preview links: revoke one that is not used any more.`);
      await emitChange(context, tx, release, 'shared');
      return linkJson(base, release.id, link);
    });
    return created({ ...json, token, url: `${base}/?${TOKEN_PARAMETER}=${token}` }, { Location: json['@id'] });
  },
});

/** DELETE `@releases/<id>/preview-links/<link>`. */
const removeLink = defineService({
  ...shown,
  method: 'DELETE',
  together: true,
  summary: 'Revokes a preview link of a release: it shows nothing any more.',
  rest: ['{id}/preview-links/{link}'],
  responses: { 204: { description: 'Revoked.' }, 404: NOT_FOUND },
  async run(context) {
    const { kernel, params } = context;
    const { release } = await requireRelease(context, params.id, { isLocked: true });
    await kernel.db.transaction(async (tx) => {
      if (params.link.includes('\0') || !(await deleteLink(tx, release.id, params.link)))
        throw notFoundHere(context, '@releases');
      await emitChange(context, tx, release, 'unshared');
    });
    return noContent();
  },
});

export const linkServices: Service[] = [getLinks, postLink, removeLink];
