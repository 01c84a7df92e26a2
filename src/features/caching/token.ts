import { type Kernel, type Queryable, secretBox } from '#core';
import { findToken, storeToken } from './statements.ts';

/** The id of the only token. */
export const TOKEN_ID = 'purge';

/** The place of the token, which its encryption is bound to. */
export const placeOfToken = (id: string): string => `cache-purge:${id}`;

/** The token that caches require; undefined without one. */
export async function loadToken({ db, config }: Kernel): Promise<string | undefined> {
  const sealed = await findToken(db, TOKEN_ID);
  return sealed && (await secretBox.open(db, config.secretsKeys)).open(sealed, placeOfToken(TOKEN_ID));
}

/** Stores the token that caches require, encrypted. */
export async function saveToken({ config }: Kernel, tx: Queryable, token: string): Promise<void> {
  const box = await secretBox.open(tx, config.secretsKeys);
  await storeToken(tx, TOKEN_ID, box.seal(token, placeOfToken(TOKEN_ID)));
}
