import { noContent, type RequestContext } from '#core';
import { NotFound } from '#lib/errors';
import { deleteTokens } from './statements.ts';

/** Revokes a token of a user, or all tokens for null. Returns the number of revoked tokens. */
export async function revokeTokens(
  { kernel, caller }: RequestContext,
  user: string,
  token: string | null,
): Promise<number> {
  return kernel.db.transaction(async (tx) => {
    const count = await deleteTokens(tx, user, token);
    const change = { part: 'access-token', id: user, change: 'revoked', names: token === null ? [] : [token] };
    if (count > 0) await kernel.events.emit('site.changed', change, { tx, caller });
    return count;
  });
}

/** Revokes a token of a user. Throws NotFound. */
export async function revokeToken(
  context: RequestContext,
  user: string,
  token: string,
  path: string,
): Promise<{ status: 204 }> {
  if ((await revokeTokens(context, user, token)) === 0) throw new NotFound(path);
  return noContent();
}

/** The response to a revocation of all tokens. */
export const REVOKED = { 204: { description: 'Worth nothing any more.' } };
/** The responses to a revocation of one token. */
export const REVOKED_ONE = { ...REVOKED, 404: { description: 'The user has no such token.' } };
