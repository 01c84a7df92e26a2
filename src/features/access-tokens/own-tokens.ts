import { Type } from 'typebox';
import {
  batching,
  type Caller,
  callers,
  created,
  defineService,
  has,
  noContent,
  ok,
  type RequestContext,
  requests,
  type Service,
  schemas,
} from '#core';
import { NotFound } from '#lib/errors';
import { expiryProblems, makeToken } from './make-token.ts';
import { REVOKED, REVOKED_ONE, revokeToken, revokeTokens } from './revoke-tokens.ts';
import { findAccessToken } from './statements.ts';
import { AccessToken, listTokens, TokenList, tokenJson } from './token-json.ts';

/** Making tokens for oneself. */
export const MAKE_TOKENS = 'Canopy: Make access tokens';

const MAX_NAME = 200;
const MAX_SUBTREES = 50;

/** The caller. `isLoggedIn` has rejected Anonymous before. */
function selfOf({ caller }: Pick<RequestContext, 'caller'>): Caller & { id: string } {
  const { id } = caller;
  if (id === null) throw new Error('Access tokens were asked for by nobody');
  return { ...caller, id };
}

const ownUrl = ({ base }: Pick<RequestContext, 'base'>): string => `${base}/@access-tokens`;

const common = {
  name: '@access-tokens',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
} as const;

/** GET `@access-tokens`: the tokens of the user who asks. */
const getTokens = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the personal access tokens of the user who asks, the newest first.',
  query: Type.Object(batching.Query('tokens', { size: 25 })),
  responses: { 200: { description: 'A batch of the tokens, without what they are.', schema: TokenList } },
  async run(context) {
    const batch = batching.of(context.query, context.searchParams);
    return ok(await listTokens(context, selfOf(context).id, { url: ownUrl(context), batch }));
  },
});

/** GET `@access-tokens/<id>`: one token of the user who asks. */
const getToken = defineService({
  ...common,
  method: 'GET',
  summary: 'Represents a personal access token of the user who asks.',
  rest: ['{token}'],
  responses: {
    200: { description: 'The token, without what it is.', schema: AccessToken },
    404: { description: 'The user has no such token.' },
  },
  async run(context) {
    const { token } = context.params;
    const found = await findAccessToken(context.db, selfOf(context).id, token);
    if (!found) throw new NotFound(`/@access-tokens/${token}`);
    return ok(await tokenJson(context, ownUrl(context), found));
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
  alone: 'Its response has a secret that is not kept.',
  body: Type.Object(
    {
      name: Type.Refine(
        schemas.Text({
          description: 'What it is for.',
          maxLength: MAX_NAME,
          message: { required: 'Say what it is for.' },
        }),
        (text) => text.trim() !== '',
        () => 'Say what it is for.',
      ),
      methods: Type.Optional(
        schemas.Nullable(Type.Array(schemas.Choice([...METHODS]), { minItems: 1 }), {
          description: 'The methods that it is good for: ["GET"] only reads. Null and absent: all.',
          message: `must be a list of ${METHODS.join(', ')}`,
        }),
      ),
      subtrees: Type.Optional(
        schemas.Nullable(Type.Array(schemas.Text({ maxLength: 2000 }), { minItems: 1, maxItems: MAX_SUBTREES }), {
          description:
            'Addresses, paths or UIDs of the content that it is good for, with everything below. Null and absent: the whole site.',
          message: `must be a list of 1 to ${MAX_SUBTREES} addresses, paths or UIDs`,
        }),
      ),
      scopes: Type.Optional(
        schemas.Nullable(Type.Array(schemas.Choice([...callers.AGENT_SCOPES]), { minItems: 1 }), {
          description:
            'For an agent: the kinds of work that it may do with the token, beside reading: `["read", "propose"]`. Null and absent: it is for another program.',
          message: `must be a list of ${callers.AGENT_SCOPES.join(', ')}`,
        }),
      ),
      expires: Type.Optional(
        schemas.Nullable(schemas.Instant(), {
          description: 'Until when it is good; null: for ever, where the site allows that.',
        }),
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
    const request = { site, caller: selfOf(context), bases: requests.basesOf(context), now: auth.now() };
    const { token, stored } = await makeToken(kernel, request, body);
    const json = await tokenJson(context, ownUrl(context), { ...stored, used: null, network: null });
    return created({ ...json, token }, { Location: `${ownUrl(context)}/${stored.id}` });
  },
});

/** DELETE `@access-tokens/<id>`: revokes a token. */
const deleteToken = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Revokes a personal access token of the user who asks.',
  rest: ['{token}'],
  responses: REVOKED_ONE,
  run: (context) =>
    revokeToken(context, selfOf(context).id, context.params.token, `/@access-tokens/${context.params.token}`),
});

/** DELETE `@access-tokens`: revokes all tokens of the user who asks. */
const deleteAll = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Revokes all personal access tokens of the user who asks.',
  responses: REVOKED,
  async run(context) {
    await revokeTokens(context, selfOf(context).id, null);
    return noContent();
  },
});

/** The tokens of the user who asks. */
export const ownTokenServices: Service[] = [getTokens, getToken, postToken, deleteToken, deleteAll];
