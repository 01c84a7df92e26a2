import type { Readable } from 'node:stream';
import type { Database, Transaction } from '../../../database/database.ts';
import { Conflict, IdempotencyKeyReused } from '../../../lib/errors.ts';
import type { ServiceResponse } from '../../services/response.ts';
import { claimKey, findKept, insertKept, type KeptRow, pruneKept } from '../statements/kept-responses.ts';
import type { WireRequest } from '../wire-request.ts';
import { type IdempotencyKey, KEY_HEADER, RequestDigest } from './key.ts';
import { responseOfText, textOfResponse } from './response-json.ts';

/**
 * Statuses of refusals that are stored, because the request itself is their reason. Other refusals, such as 409, 412, 423 and 429, may not happen
 * again; nothing was done in either case.
 */
const KEPT_REFUSALS = new Set([400, 403, 404, 405, 413, 415, 422]);

const isRunning = (): Conflict =>
  new Conflict(`A request with the same ${KEY_HEADER} is being worked on. Send it again in a moment.`, {
    'Retry-After': '1',
  });

const isAnother = (): IdempotencyKeyReused =>
  new IdempotencyKeyReused(
    `The ${KEY_HEADER} was used for another request: another method, address or body. Send a new key with each write.`,
  );

/** One write with a key, whose response is stored. */
export class KeyedWrite {
  readonly digest: RequestDigest;
  readonly #id: string;
  readonly #since: Date;

  constructor({ id, text }: IdempotencyKey, request: WireRequest, since: Date) {
    this.#id = id;
    this.#since = since;
    this.digest = new RequestDigest(text, request);
  }

  /** Claims the key for the transaction. Throws Conflict when another request has it, or had it a moment ago. */
  async claim(tx: Transaction): Promise<void> {
    if (!(await claimKey(tx, this.#id, this.#since))) throw isRunning();
  }

  /** Stores the response in the transaction of the write. */
  async keep(tx: Transaction, response: ServiceResponse): Promise<void> {
    if (!(await insertKept(tx, this.#row(response), this.#since))) throw isRunning();
  }

  /** Stores the refusal of a write that was rolled back, if the same request would be refused again. */
  async keepRefusal(db: Database, response: ServiceResponse): Promise<void> {
    if (KEPT_REFUSALS.has(response.status)) await insertKept(db, this.#row(response), this.#since);
  }

  #row(response: ServiceResponse): KeptRow & { id: string } {
    const { fingerprint, bytes } = this.digest;
    return { id: this.#id, fingerprint, bytes, response: textOfResponse(response) };
  }
}

/** The writes with keys that one process works on. */
export class KeyedWrites {
  readonly #running = new Set<string>();
  readonly #lifetimeMs: number;

  /** Responses are stored for `lifetimeMs` milliseconds. */
  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /**
   * Returns the stored response to the same request, else the response of `work`, which stores it. Throws Conflict while another request with the key
   * is worked on, and IdempotencyKeyReused when the key was used for another request.
   */
  async once(
    { key, request, db, receive }: { key: IdempotencyKey; request: WireRequest; db: Database; receive: () => Readable },
    work: (write: KeyedWrite) => Promise<ServiceResponse>,
  ): Promise<ServiceResponse> {
    const { id, text } = key;
    if (this.#running.has(id)) throw isRunning();
    this.#running.add(id);
    try {
      const since = this.#since();
      const kept = await findKept(db, id, since);
      if (kept) return await replayed(kept, new RequestDigest(text, request), receive());
      return await work(new KeyedWrite(key, request, since));
    } finally {
      this.#running.delete(id);
    }
  }

  /** Removes the responses whose time is over. */
  async prune(db: Database, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await pruneKept(db, this.#since())));
  }

  #since(): Date {
    return new Date(Date.now() - this.#lifetimeMs);
  }
}

/** The stored response, once the body has come and equals the body of the first request. */
async function replayed({ fingerprint, bytes, response }: KeptRow, digest: RequestDigest, body: Readable) {
  for await (const chunk of body) {
    digest.add(chunk);
    if (digest.bytes > bytes) throw isAnother();
  }
  if (digest.fingerprint !== fingerprint) throw isAnother();
  return responseOfText(response);
}
