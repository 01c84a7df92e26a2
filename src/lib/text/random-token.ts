import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;

/** Makes a token that cannot be guessed: 256 random bits in 43 characters, behind a prefix. */
export const newToken = (prefix = ''): string => prefix + randomBytes(RANDOM_BYTES).toString('base64url');

/** Returns the hash under which a token is stored. A plain digest is enough, because tokens are random. */
export const hashToken = (token: string, encoding: 'base64url' | 'hex' = 'base64url'): string =>
  createHash('sha256').update(token).digest(encoding);
