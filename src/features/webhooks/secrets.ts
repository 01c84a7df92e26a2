import { type Kernel, type Queryable, secretBox } from '#core';
import { newSecret } from './signature.ts';
import { addSecret, findSecrets } from './statements/secrets.ts';

/** The owner of the secret by which requests of content rules are signed. No webhook has this id. */
export const RULES = 'content-rules';

/** The place of a secret, which its encryption is bound to. */
export const placeOfSecret = (owner: string): string => `webhook:${owner}`;

/** The valid secrets of a webhook, the newest first; empty when no secret was made. */
export async function loadSecrets({ db, config }: Pick<Kernel, 'db' | 'config'>, owner: string): Promise<string[]> {
  const sealed = await findSecrets(db, owner);
  if (sealed.length === 0) return [];
  const box = await secretBox.open(db, config.secretsKeys);
  return sealed.map((text) => box.open(text, placeOfSecret(owner)));
}

/** Makes a new secret. The former secret stays valid for some hours. Returns the new secret, which is not shown again. */
export async function replaceSecret(
  { config }: Pick<Kernel, 'config'>,
  tx: Queryable,
  { owner, overlapHours }: { owner: string; overlapHours: number },
): Promise<string> {
  const secret = newSecret();
  const box = await secretBox.open(tx, config.secretsKeys);
  await addSecret(tx, { owner, sealed: box.seal(secret, placeOfSecret(owner)), overlapHours });
  return secret;
}
