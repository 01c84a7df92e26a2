import { createHash } from 'node:crypto';
import { clientNetwork, parseCredentials } from '../auth/credentials.ts';
import type { AuthContext } from '../auth/login.ts';
import { sessionOwner } from '../auth/session-tokens.ts';
import type { Service } from '../services/service.ts';
import { type Applicant, FairQueue, type QueueLimits } from './fair-queue.ts';
import type { RequestAddress } from './request-address.ts';
import { header, isReading, type WireRequest } from './wire-request.ts';

/**
 * What requests are doing, and how much of each is done at once in one process (docs/decisions/0011-bounded-work.md): reading
 * one object or little more, searching, receiving a body, receiving a large one, logging in, and writing.
 */
export type WorkClass = 'read' | 'search' | 'body' | 'upload' | 'login' | 'write';

const LIMITS: Readonly<Record<WorkClass, QueueLimits>> = {
  read: { places: 8, reserved: 2, perClient: 8, maxWaiting: 1000, maxWaitingPerClient: 500 },
  search: { places: 3, reserved: 1, perClient: 3, maxWaiting: 300, maxWaitingPerClient: 100 },
  body: { places: 64, reserved: 16, perClient: 40, maxWaiting: 500, maxWaitingPerClient: 300 },
  upload: { places: 8, reserved: 2, perClient: 4, maxWaiting: 32, maxWaitingPerClient: 16 },
  // Mostly waiting: passwords have bounds of their own (auth/passwords.ts, auth/login-throttle.ts).
  login: { places: 200, reserved: 0, perClient: 200, maxWaiting: 0, maxWaitingPerClient: 0 },
  write: { places: 8, reserved: 2, perClient: 8, maxWaiting: 500, maxWaitingPerClient: 300 },
};

/** Bytes of a body from which on it counts as an upload. */
const UPLOAD_BYTES = 1024 * 1024;

const SEARCHES = new Set(['@search', '@querystring-search']);

/** Whether a request searches. */
export const isSearch = ({ service }: RequestAddress): boolean => SEARCHES.has(service);

/** Whether a request lists whole objects. */
const isForWhole = ({ target }: WireRequest): boolean => /[?&]fullobjects\b/.test(target);

/** The class of what a request does until its body is received: most requests are then done. */
export const firstClass = (address: RequestAddress, request: WireRequest): WorkClass =>
  isReading(request) && (isSearch(address) || isForWhole(request)) ? 'search' : 'read';

/** The class of the reception of a body: of unknown length it may be large. */
export function bodyClass(request: WireRequest): WorkClass {
  const length = header(request, 'content-length');
  if (length === undefined) return header(request, 'transfer-encoding') === undefined ? 'body' : 'upload';
  return Number(length) > UPLOAD_BYTES ? 'upload' : 'body';
}

/** The class of what a service does with a body. */
export function serviceClass({ name }: Service, address: RequestAddress): WorkClass {
  if (name === '@login') return 'login';
  return isSearch(address) ? 'search' : 'write';
}

/** The places that one request has taken. */
export class WorkPlaces {
  readonly #queues: Readonly<Record<WorkClass, FairQueue>>;
  readonly #applicant: Applicant;
  readonly #signal: AbortSignal;
  #held: (() => void)[] = [];

  constructor(queues: Readonly<Record<WorkClass, FairQueue>>, applicant: Applicant, signal: AbortSignal) {
    this.#queues = queues;
    this.#applicant = applicant;
    this.#signal = signal;
  }

  /** Takes one more place. Throws as `FairQueue.enter` does. */
  async take(work: WorkClass): Promise<void> {
    this.#held.push(await this.#queues[work].enter(this.#applicant, this.#signal));
  }

  /** Leaves all places. */
  leave(): void {
    for (const leave of this.#held.splice(0)) leave();
  }
}

/** The work of the requests of one process. */
export class Work {
  readonly #auth: AuthContext;
  readonly #queues: Readonly<Record<WorkClass, FairQueue>> = {
    read: new FairQueue(LIMITS.read),
    search: new FairQueue(LIMITS.search),
    body: new FairQueue(LIMITS.body),
    upload: new FairQueue(LIMITS.upload),
    login: new FairQueue(LIMITS.login),
    write: new FairQueue(LIMITS.write),
  };

  constructor(auth: AuthContext) {
    this.#auth = auth;
  }

  /** How many requests have a place, and how many wait for one, in each class. */
  figures(): Record<WorkClass, { running: number; waiting: number }> {
    const figuresOf = ({ running, waiting }: FairQueue) => ({ running, waiting });
    const { read, search, body, upload, login, write } = this.#queues;
    return {
      read: figuresOf(read),
      search: figuresOf(search),
      body: figuresOf(body),
      upload: figuresOf(upload),
      login: figuresOf(login),
      write: figuresOf(write),
    };
  }

  /** The places of a request, none yet. The signal ends its waiting. */
  async placesFor(request: WireRequest, address: RequestAddress, signal: AbortSignal): Promise<WorkPlaces> {
    const owner = await this.#ownerOf(request);
    const client = owner ?? `address ${clientNetwork(request.clientAddress)}`;
    return new WorkPlaces(this.#queues, { client, subject: address.path, isKnown: owner !== undefined }, signal);
  }

  /** Who has the credentials of a request, as far as that is known without the database; undefined for others. */
  async #ownerOf(request: WireRequest): Promise<string | undefined> {
    const credentials = parseCredentials({
      method: request.method,
      authorization: header(request, 'authorization'),
      cookie: header(request, 'cookie'),
    });
    if (credentials?.kind === 'token') {
      const owner = await sessionOwner(this.#auth, credentials.token);
      // Several sessions of one user are several clients.
      return owner === null
        ? undefined
        : `session ${createHash('sha256').update(credentials.token).digest('base64url')}`;
    }
    if (credentials && this.#auth.credentialCache.has(credentials.login, credentials.password))
      return `login ${credentials.login}`;
    return undefined;
  }
}
