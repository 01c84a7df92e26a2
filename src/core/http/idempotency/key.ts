import { createHash, type Hash } from 'node:crypto';
import { BadRequest } from '../../../lib/errors.ts';
import type { Authentication } from '../../people/authenticate.ts';
import { clientNetwork } from '../../people/credentials.ts';
import { header, type WireRequest } from '../wire-request.ts';

/** The header by which a client sends a write again without doing it twice (draft-ietf-httpapi-idempotency-key-header). */
export const KEY_HEADER = 'Idempotency-Key';

/** A text in quotes, as the draft demands, or without quotes, as many clients send it. */
const KEY = /^(?:"([\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x2b\x2d-\x7e]{1,255}))$/;

/**
 * Returns the scope in which a key counts. The key of one user does not count for others, the key of a token with limits does not count for the same
 * user without these limits, and an anonymous key counts for requests from the same network.
 */
function scopeOf({ account, caller, limits, isPreview }: Authentication, clientAddress: string): string {
  if (account && !isPreview) return JSON.stringify(['user', account.caller.id, limits]);
  return JSON.stringify(['network', clientNetwork(clientAddress), caller.within ?? null]);
}

/** Digest of several texts; their borders are part of it. */
const digestOf = (...texts: string[]): string => createHash('sha256').update(JSON.stringify(texts)).digest('hex');

/** The digest of a request, made while its body comes. */
export class RequestDigest {
  readonly #hash: Hash;
  #bytes = 0;

  /** Includes the key, which is stored nowhere, so that a body, such as a password, cannot be found from its digest by guessing. */
  constructor(key: string, { method, target }: Pick<WireRequest, 'method' | 'target'>) {
    this.#hash = createHash('sha256').update(JSON.stringify([key, method, target]));
  }

  /** Bytes of the body until now. */
  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
  }

  /** The digest of the bytes until now, in hex. */
  get fingerprint(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** The key of a write, and the id under which its response is kept: a digest of the key and of its caller. */
export type IdempotencyKey = { id: string; text: string };

/** The key of a request; undefined without one. Throws BadRequest for a malformed one. */
export function idempotencyKeyOf(request: WireRequest, authentication: Authentication): IdempotencyKey | undefined {
  const value = header(request, KEY_HEADER.toLowerCase());
  if (value === undefined) return undefined;
  const [, quoted, plain] = KEY.exec(value) ?? [];
  const key = quoted ?? plain;
  if (key === undefined)
    throw new BadRequest(
      `The header ${KEY_HEADER} must be a text of 1 to 255 visible ASCII characters, best a new UUID for each write, such as "8e03978e-40d5-43dd-bc93-6894a57f9324".`,
    );
  return { id: digestOf(scopeOf(authentication, request.clientAddress), key), text: key };
}
