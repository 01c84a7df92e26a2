import type { Queryable } from '#core';
import { newToken } from '#lib/text/random-token';
import { DAY_MS } from '#lib/time/milliseconds';
import { hashResetToken } from './password-mail.ts';
import { insertReset } from './statements/password-resets.ts';

/** How long the link of a new site is valid, in milliseconds. */
const FIRST_LINK_MS = DAY_MS;

/**
 * Makes the secret of the link by which the first account of a new site gets its password in a browser. It works once, for a day, while the site has
 * no other account and the password of the account has not changed. Only its hash is stored.
 */
export async function makeFirstLinkSecret(db: Queryable, account: string): Promise<string> {
  const token = newToken();
  const created = new Date();
  const expires = new Date(created.getTime() + FIRST_LINK_MS);
  await insertReset(db, { tokenHash: hashResetToken(token), account, created, expires, onlyAccount: true });
  return token;
}
