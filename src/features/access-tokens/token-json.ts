import { type Static, Type } from 'typebox';
import { batching, callers, publishing, type RequestContext, references, schemas, urlOf } from '#core';
import { type ListedToken, listAccessTokens } from './statements.ts';

/** A token in responses: its properties, never the token itself. */
export const AccessToken = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  name: Type.String(),
  methods: schemas.Nullable(Type.Array(Type.String()), { description: 'The methods that it is good for; null: all.' }),
  subtrees: schemas.Nullable(Type.Array(Type.String({ format: 'uri' })), {
    description:
      'The content that it is good for with everything below, as far as you may view it; null: the whole site.',
  }),
  scopes: schemas.Nullable(Type.Array(schemas.Choice([...callers.AGENT_SCOPES])), {
    description: 'The kinds of work that an agent may do with it; null: it is for another program.',
  }),
  publishes: Type.Boolean({ description: 'Whether what an agent writes with it may be public at once.' }),
  created: Type.String({ format: 'date-time' }),
  expires: schemas.Nullable(Type.String({ format: 'date-time' }), { description: 'Null: never.' }),
  last_used: schemas.Nullable(Type.String({ format: 'date-time' }), { description: 'To five minutes; null: never.' }),
  last_network: schemas.Nullable(Type.String(), { description: 'From where it was used then.' }),
});
type AccessToken = Static<typeof AccessToken>;

/** A batch of tokens in responses. */
export const TokenList = batching.BatchOf(AccessToken);

/**
 * Returns a function that makes the JSON of tokens, with the addresses of the subtrees that the caller may view. One statement, none without
 * subtrees.
 */
async function tokenMaker({ db, site, caller, base }: RequestContext, url: string, tokens: readonly ListedToken[]) {
  const subtreeUids = tokens.flatMap(({ subtrees }) => subtrees ?? []);
  const find = await references.visibleEnds(
    db,
    { rule: publishing.viewRuleOf(site), caller },
    { references: subtreeUids, bases: [] },
  );
  return ({
    id,
    name,
    methods,
    subtrees,
    scopes,
    publishes,
    created,
    expires,
    used,
    network,
  }: ListedToken): AccessToken => ({
    '@id': `${url}/${encodeURIComponent(id)}`,
    id,
    name,
    methods,
    subtrees: subtrees?.flatMap((uid) => find(uid)?.path ?? []).map((path) => urlOf(base, path)) ?? null,
    scopes,
    publishes,
    created: created.toISOString(),
    expires: expires?.toISOString() ?? null,
    last_used: used?.toISOString() ?? null,
    last_network: network,
  });
}

/** One token in a response. */
export const tokenJson = async (context: RequestContext, url: string, token: ListedToken): Promise<AccessToken> =>
  (await tokenMaker(context, url, [token]))(token);

/** The list of the tokens of one user. */
export async function listTokens(
  context: RequestContext,
  user: string,
  { url, batch }: { url: string; batch: batching.Request },
): Promise<Static<typeof TokenList>> {
  const { items, total } = await listAccessTokens(context.db, user, { limit: batch.size, offset: batch.start });
  return {
    '@id': url,
    items: items.map(await tokenMaker(context, url, items)),
    items_total: total,
    ...batching.linksOf(url, batch, total),
  };
}
