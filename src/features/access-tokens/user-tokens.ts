import { Type } from 'typebox';
import { batching, defineService, noContent, ok, permissions, type RequestContext, type Service } from '#core';
import { NotFound } from '#lib/errors';
import { requireAuthority } from '../people/authority.ts';
import { requireProfile } from '../people/people-json.ts';
import { REVOKED, REVOKED_ONE, revokeToken, revokeTokens } from './revoke-tokens.ts';
import { setPublishes } from './statements.ts';
import { listTokens, TokenList } from './token-json.ts';

const common = { name: '@users', context: 'site', permission: permissions.MANAGE_USERS, tag: 'access-tokens' } as const;

/** GET `@users/<id>/@access-tokens`: the tokens of another user. */
const getTokensOf = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the personal access tokens of a user, the newest first.',
  rest: ['{id}/@access-tokens'],
  query: Type.Object(batching.Query('tokens', { size: 25 })),
  responses: {
    200: { description: 'A batch of the tokens, without what they are.', schema: TokenList },
    404: { description: 'There is no such user.' },
  },
  async run(context) {
    const { db, base, params, query, searchParams } = context;
    const { id } = await requireProfile(db, params.id);
    const url = `${base}/@users/${encodeURIComponent(id)}/@access-tokens`;
    return ok(await listTokens(context, id, { url, batch: batching.of(query, searchParams) }));
  },
});

/** The user of a request about tokens of others. Throws NotFound, and Forbidden for users with rights beyond the caller's. */
async function requireUser({ db, site, caller }: RequestContext, name: string): Promise<string> {
  const { id, roles } = await requireProfile(db, name);
  if (id !== caller.id) requireAuthority(site, caller, roles);
  return id;
}

/** PATCH `@users/<id>/@access-tokens/<token>`: sets if writes of an agent with a token may be public at once. */
const patchTokenOf = defineService({
  ...common,
  method: 'PATCH',
  permission: permissions.MANAGE_PORTAL,
  inPerson: true,
  summary: 'Sets if what an agent writes with a token of a user may be public at once.',
  rest: ['{id}/@access-tokens/{token}'],
  body: Type.Object(
    {
      publishes: Type.Boolean({
        description:
          'True for an agent that people trust to publish. The token must have the scope `write` for it to have an effect.',
        message: { required: 'Say true or false.', other: 'must be true or false' },
      }),
    },
    { examples: [{ publishes: true }] },
  ),
  responses: {
    204: { description: 'Set.' },
    404: { description: 'The user has no such token, or it is for another program.' },
  },
  async run(context) {
    const { kernel, caller, params, body } = context;
    const { id, token } = params;
    const user = await requireUser(context, id);
    await kernel.db.transaction(async (tx) => {
      if (!(await setPublishes(tx, { account: user, id: token, ...body })))
        throw new NotFound(`/@users/${id}/@access-tokens/${token}`);
      const names = [body.publishes ? 'publishes' : 'publishes-not', token];
      await kernel.events.emit(
        'site.changed',
        { part: 'access-token', id: user, change: 'edited', names },
        { tx, caller },
      );
    });
    return noContent();
  },
});

/** DELETE `@users/<id>/@access-tokens/<token>`: revokes a token of another user. */
const deleteTokenOf = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Revokes a personal access token of a user.',
  rest: ['{id}/@access-tokens/{token}'],
  responses: REVOKED_ONE,
  async run(context) {
    const { id, token } = context.params;
    return revokeToken(context, await requireUser(context, id), token, `/@users/${id}/@access-tokens/${token}`);
  },
});

/** DELETE `@users/<id>/@access-tokens`: revokes all tokens of another user. */
const deleteAllOf = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Revokes all personal access tokens of a user.',
  rest: ['{id}/@access-tokens'],
  responses: { ...REVOKED, 404: { description: 'There is no such user.' } },
  async run(context) {
    await revokeTokens(context, await requireUser(context, context.params.id), null);
    return noContent();
  },
});

/** The tokens of other users, for those who manage them. */
export const userTokenServices: Service[] = [getTokensOf, patchTokenOf, deleteTokenOf, deleteAllOf];
