import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { relationEnds } from '../../content/references.ts';
import { NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import type { Caller } from '../../security/caller.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import { batchLinks, batchOf } from '../../serializer/batch.ts';
import { urlOf } from '../../serializer/render-context.ts';
import { basesOf } from '../../services/content/represent-path.ts';
import { Batching, Choice, Instant, Nullable, Text } from '../../services/schemas.ts';
import {
  defineService,
  isLoggedIn,
  noContent,
  ok,
  type RequestContext,
  type Service,
  type ServiceResponse,
} from '../../services/service.ts';
import { requireAuthority } from '../people/authority.ts';
import { requireProfile } from '../people/people-json.ts';
import { expiryProblems, makeToken } from './make-token.ts';
import { deleteTokens, findAccessToken, type ListedToken, listAccessTokens } from './statements.ts';

/** Making tokens for oneself. */
export const MAKE_TOKENS = 'Canopy: Make access tokens';

const MAX_NAME = 200;
const MAX_SUBTREES = 50;

const AccessToken = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  name: Type.String(),
  methods: Nullable(Type.Array(Type.String()), { description: 'The methods that it is good for; null: all.' }),
  subtrees: Nullable(Type.Array(Type.String({ format: 'uri' })), {
    description:
      'The content that it is good for with everything below, as far as you may view it; null: the whole site.',
  }),
  created: Type.String({ format: 'date-time' }),
  expires: Nullable(Type.String({ format: 'date-time' }), { description: 'Null: never.' }),
  last_used: Nullable(Type.String({ format: 'date-time' }), { description: 'To five minutes; null: never.' }),
  last_network: Nullable(Type.String(), { description: 'From where it was used then.' }),
});

const List = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(AccessToken),
  items_total: Type.Integer(),
  batching: Type.Optional(Type.Record(Type.String(), Type.String({ format: 'uri' }))),
});

/** The caller. `isLoggedIn` has rejected Anonymous before. */
function selfOf({ caller }: Pick<RequestContext, 'caller'>): Caller & { id: string } {
  const { id } = caller;
  if (id === null) throw new Error('Access tokens were asked for by nobody');
  return { ...caller, id };
}

/** Tokens in responses, with the addresses of those of their subtrees that the caller may view. One statement, none without subtrees. */
async function tokensJson(context: RequestContext, url: string, tokens: readonly ListedToken[]): Promise<JsonObject[]> {
  const { db, caller, base } = context;
  const references = tokens.flatMap(({ subtrees }) => subtrees ?? []);
  const find = await relationEnds(db, caller, { references, bases: [] });
  return tokens.map(({ id, name, methods, subtrees, created, expires, used, network }) => ({
    '@id': `${url}/${encodeURIComponent(id)}`,
    id,
    name,
    methods,
    subtrees: subtrees?.flatMap((uid) => find(uid)?.path ?? []).map((path) => urlOf(base, path)) ?? null,
    created: created.toISOString(),
    expires: expires?.toISOString() ?? null,
    last_used: used?.toISOString() ?? null,
    last_network: network,
  }));
}

/** The list of the tokens of one user. */
async function list(
  context: RequestContext,
  user: string,
  { url, batch }: { url: string; batch: ReturnType<typeof batchOf> },
): Promise<ServiceResponse> {
  const { items, total } = await listAccessTokens(context.db, user, { limit: batch.size, offset: batch.start });
  return ok({
    '@id': url,
    items: await tokensJson(context, url, items),
    items_total: total,
    ...batchLinks(url, batch, total),
  });
}

const ownUrl = ({ base }: Pick<RequestContext, 'base'>): string => `${base}/@access-tokens`;

/** GET `@access-tokens`: the tokens of the user who asks. */
const getTokens = defineService({
  name: '@access-tokens',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Lists the personal access tokens of the user who asks, the newest first.',
  query: Type.Object(Batching('tokens', { size: 25 })),
  responses: { 200: { description: 'A batch of the tokens, without what they are.', schema: List } },
  run: (context) =>
    list(context, selfOf(context).id, { url: ownUrl(context), batch: batchOf(context.query, context.searchParams) }),
});

/** GET `@access-tokens/<id>`: one of them. */
const getToken = defineService({
  name: '@access-tokens',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  summary: 'Represents a personal access token of the user who asks.',
  rest: ['{token}'],
  responses: {
    200: { description: 'The token, without what it is.', schema: AccessToken },
    404: { description: 'The user has no such token.' },
  },
  async run(context) {
    const { token } = context.params;
    const found = token.includes('\0') ? undefined : await findAccessToken(context.db, selfOf(context).id, token);
    if (!found) throw new NotFound(`/@access-tokens/${token}`);
    return ok((await tokensJson(context, ownUrl(context), [found]))[0]);
  },
});

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** POST `@access-tokens`: a new token. */
const postToken = defineService({
  name: '@access-tokens',
  method: 'POST',
  context: 'site',
  permission: null,
  checkPermission: ({ site, caller, resolved }) => caller.id !== null && has(site, caller, resolved, MAKE_TOKENS),
  inPerson: true,
  summary: 'Makes a personal access token, with which programs act in the name of the user who asks.',
  body: Type.Object(
    {
      name: Type.Refine(
        Text({ description: 'What it is for.', maxLength: MAX_NAME, message: { required: 'Say what it is for.' } }),
        (text) => text.trim() !== '',
        () => 'Say what it is for.',
      ),
      methods: Type.Optional(
        Nullable(Type.Array(Choice([...METHODS]), { minItems: 1 }), {
          description: 'The methods that it is good for: ["GET"] only reads. Null and absent: all.',
          message: `must be a list of ${METHODS.join(', ')}`,
        }),
      ),
      subtrees: Type.Optional(
        Nullable(Type.Array(Text({ maxLength: 2000 }), { minItems: 1, maxItems: MAX_SUBTREES }), {
          description:
            'Addresses, paths or UIDs of the content that it is good for, with everything below. Null and absent: the whole site.',
          message: `must be a list of 1 to ${MAX_SUBTREES} addresses, paths or UIDs`,
        }),
      ),
      expires: Type.Optional(
        Nullable(Instant(), { description: 'Until when it is good; null: for ever, where the site allows that.' }),
      ),
    },
    { examples: [{ name: 'Backup', methods: ['GET'] }] },
  ),
  check: ({ site, auth }, { body }) => expiryProblems(site, body.expires, auth.now()),
  responses: {
    201: {
      description: 'The token. It is not shown again.',
      schema: Type.Object({ ...AccessToken.properties, token: Type.String() }),
    },
  },
  async run(context) {
    const { kernel, auth, site, body } = context;
    const request = { site, caller: selfOf(context), bases: basesOf(context), now: auth.now() };
    const { token, stored } = await makeToken(kernel, request, body);
    const [json] = await tokensJson(context, ownUrl(context), [{ ...stored, used: null, network: null }]);
    return { status: 201, headers: { Location: `${ownUrl(context)}/${stored.id}` }, body: { ...json, token } };
  },
});

/** Revokes a token of a user, or all with null. Returns their number. */
async function revokeTokens({ kernel, caller }: RequestContext, user: string, token: string | null): Promise<number> {
  return kernel.db.transaction(async (tx) => {
    const count = await deleteTokens(tx, user, token);
    const change = { part: 'access-token', id: user, change: 'revoked', names: token === null ? [] : [token] };
    if (count > 0) await kernel.events.emit('site.changed', change, { tx, caller });
    return count;
  });
}

/** Revokes a token of a user. Throws NotFound. */
async function revoke(context: RequestContext, user: string, token: string, path: string): Promise<ServiceResponse> {
  if (token.includes('\0') || (await revokeTokens(context, user, token)) === 0) throw new NotFound(path);
  return noContent();
}

const REVOKED = { 204: { description: 'Worth nothing any more.' } };
const REVOKED_ONE = { ...REVOKED, 404: { description: 'The user has no such token.' } };

/** DELETE `@access-tokens/<id>`: the end of a token. */
const deleteToken = defineService({
  name: '@access-tokens',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  inPerson: true,
  summary: 'Revokes a personal access token of the user who asks.',
  rest: ['{token}'],
  responses: REVOKED_ONE,
  run: (context) =>
    revoke(context, selfOf(context).id, context.params.token, `/@access-tokens/${context.params.token}`),
});

/** DELETE `@access-tokens`: the end of all of them. */
const deleteAll = defineService({
  name: '@access-tokens',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  inPerson: true,
  summary: 'Revokes all personal access tokens of the user who asks.',
  responses: REVOKED,
  async run(context) {
    await revokeTokens(context, selfOf(context).id, null);
    return noContent();
  },
});

/** GET `@users/<id>/@access-tokens`: those of another user. */
const getTokensOf = defineService({
  name: '@users',
  method: 'GET',
  context: 'site',
  permission: MANAGE_USERS,
  tag: 'access-tokens',
  summary: 'Lists the personal access tokens of a user, the newest first.',
  rest: ['{id}/@access-tokens'],
  query: Type.Object(Batching('tokens', { size: 25 })),
  responses: {
    200: { description: 'A batch of the tokens, without what they are.', schema: List },
    404: { description: 'There is no such user.' },
  },
  async run(context) {
    const { db, base, params, query, searchParams } = context;
    const { id } = await requireProfile(db, params.id);
    const url = `${base}/@users/${encodeURIComponent(id)}/@access-tokens`;
    return list(context, id, { url, batch: batchOf(query, searchParams) });
  },
});

/** The user of a request about tokens of others. Throws NotFound, and Forbidden for users with rights beyond the caller's. */
async function requireUser({ db, site, caller }: RequestContext, name: string): Promise<string> {
  const { id, roles } = await requireProfile(db, name);
  if (id !== caller.id) requireAuthority(site, caller, roles);
  return id;
}

/** DELETE `@users/<id>/@access-tokens/<token>`: the end of a token of another user. */
const deleteTokenOf = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  inPerson: true,
  tag: 'access-tokens',
  summary: 'Revokes a personal access token of a user.',
  rest: ['{id}/@access-tokens/{token}'],
  responses: REVOKED_ONE,
  async run(context) {
    const { id, token } = context.params;
    return revoke(context, await requireUser(context, id), token, `/@users/${id}/@access-tokens/${token}`);
  },
});

/** DELETE `@users/<id>/@access-tokens`: the end of all of them. */
const deleteAllOf = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  inPerson: true,
  tag: 'access-tokens',
  summary: 'Revokes all personal access tokens of a user.',
  rest: ['{id}/@access-tokens'],
  responses: { ...REVOKED, 404: { description: 'There is no such user.' } },
  async run(context) {
    await revokeTokens(context, await requireUser(context, context.params.id), null);
    return noContent();
  },
});

export const accessTokenServices: Service[] = [
  getTokens,
  getToken,
  postToken,
  deleteToken,
  deleteAll,
  getTokensOf,
  deleteTokenOf,
  deleteAllOf,
];
