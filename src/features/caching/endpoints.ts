import { Type } from 'typebox';
import {
  defineService,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  type Service,
  schemas,
  type Transaction,
} from '#core';
import { BadRequest } from '#lib/errors';
import { purgesOfPaths, queueEverything } from './collect.ts';
import { TAG_SOURCE } from './headers.ts';
import { type PurgeTarget, purgeTarget } from './panel.ts';
import { queuePurges } from './purges.ts';
import { findToken, listWaiting, oidsAt, removeToken } from './statements.ts';
import { saveToken, TOKEN_ID } from './token.ts';

const MAX_PATHS = 20;
const MAX_PATH = 2000;
const MAX_TOKEN = 1000;

const common = { name: '@cache-purges', context: 'site', permission: MANAGE_PORTAL } as const;

/** Emits the event of a change, for the records of the site. */
const emitChange = (
  { kernel, caller }: Pick<RequestContext, 'kernel' | 'caller'>,
  tx: Transaction,
  change: { id: string; change: string; names?: string[] },
): Promise<void> => kernel.events.emit('site.changed', { part: 'cache-purges', ...change }, { tx, caller });

/** GET `@cache-purges`: purges that wait. */
const getPurges = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the caches that are still to be notified of changes, with the errors of failed attempts.',
  responses: {
    200: {
      description: 'The caches that something waits for.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        enabled: Type.Boolean({ description: 'Whether the site tells caches of changes.' }),
        has_token: Type.Boolean({ description: 'Whether there is a token for them.' }),
        items: Type.Array(
          Type.Object({
            cache: Type.String(),
            waiting: Type.Integer({ description: 'Purges that it has not taken.' }),
            since: Type.String({ format: 'date-time' }),
            attempts: Type.Integer(),
            error: schemas.Nullable(Type.String()),
          }),
        ),
        items_total: Type.Integer(),
      }),
    },
  },
  async run({ db, base, site }) {
    const items = await listWaiting(db);
    return ok({
      '@id': `${base}/@cache-purges`,
      enabled: purgeTarget(site) !== undefined,
      has_token: (await findToken(db, TOKEN_ID)) !== undefined,
      items: items.map(({ proxy: cache, waiting, since, attempts, error }) => ({
        ...{ cache, waiting, since: since.toISOString(), attempts, error },
      })),
      items_total: items.length,
    });
  },
});

function requireTarget({ site }: RequestContext): PurgeTarget {
  const target = purgeTarget(site);
  if (target) return target;
  throw new BadRequest('The site tells no caches of changes. Name some in the control panel "caching" first.');
}

/** POST `@cache-purges`: has caches evict some responses, or all. */
const postPurge = defineService({
  ...common,
  method: 'POST',
  summary: 'Has caches forget the responses of some content, or everything.',
  body: Type.Object(
    {
      paths: Type.Optional(
        Type.Array(
          schemas.Text({ description: 'A path from the root of the site, such as /news.', maxLength: MAX_PATH }),
          {
            description: 'Paths of content; everything unless given.',
            minItems: 1,
            maxItems: MAX_PATHS,
            message: `must be a list of 1 to ${MAX_PATHS} paths`,
          },
        ),
      ),
    },
    { examples: [{}, { paths: ['/news'] }] },
  ),
  check: (_context, { body: { paths = [] } }) =>
    paths.every((path) => path.startsWith('/')) ? [] : [{ field: 'paths', message: 'Each must begin with "/".' }],
  responses: {
    204: { description: 'They are notified at once.' },
    400: { description: 'The site tells no caches, or these know addresses only and none is given.' },
  },
  async run(context) {
    const { kernel, body } = context;
    const target = requireTarget(context);
    const tags = await kernel.slots.get(TAG_SOURCE).load();
    const { paths } = body;
    if (paths === undefined && target.method === 'paths')
      throw new BadRequest('These caches know addresses only: name "paths".');
    await kernel.db.transaction(async (tx) => {
      if (paths === undefined) await queueEverything(tx, target, tags);
      else if (target.method === 'paths') await queuePurges(tx, target.proxies, purgesOfPaths(paths));
      else {
        const oids = new Set(await oidsAt(tx, paths));
        await queuePurges(tx, target.proxies, [
          { tags: tags.ofChange({ objects: oids, containers: oids }), paths: [] },
        ]);
      }
      await emitChange(context, tx, { id: '', change: 'purged', names: paths ?? [] });
    });
    return noContent();
  },
});

/** PUT `@cache-purges/token`: stores the token by which caches identify the site. */
const putToken = defineService({
  ...common,
  method: 'PUT',
  inPerson: true,
  summary: 'Stores the token that caches want before they forget anything. It is never served.',
  rest: ['token'],
  body: Type.Object({
    token: Type.Refine(
      schemas.Text({ description: 'The token.', minLength: 1, maxLength: MAX_TOKEN }),
      (token) => /^[\x21-\x7e]+$/.test(token),
      () => 'must be letters, digits and signs of ASCII without blanks',
    ),
  }),
  responses: { 204: { description: 'It is stored, encrypted.' } },
  async run(context) {
    const { kernel, body } = context;
    await kernel.db.transaction(async (tx) => {
      await saveToken(kernel, tx, body.token);
      await emitChange(context, tx, { id: 'token', change: 'edited' });
    });
    return noContent();
  },
});

/** DELETE `@cache-purges/token`: removes the token. */
const deleteToken = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Removes the token for caches, if there is one.',
  rest: ['token'],
  responses: { 204: { description: 'There is no token any more.' } },
  async run(context) {
    await context.kernel.db.transaction(async (tx) => {
      if (await removeToken(tx, TOKEN_ID)) await emitChange(context, tx, { id: 'token', change: 'removed' });
    });
    return noContent();
  },
});

export const cachePurgeServices: Service[] = [getPurges, postPurge, putToken, deleteToken];
