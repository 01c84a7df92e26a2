import { hash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../lib/time/milliseconds.ts';
import { type Credentials, clientNetwork, parseCredentials } from '../people/credentials.ts';
import type { AuthContext } from '../people/login.ts';
import { sessionOwner } from '../people/session-tokens.ts';
import type { OutsideWork, Service } from '../services/service.ts';
import { isSearchService } from '../services/shared-writes.ts';
import { type Applicant, FairQueue, type Holder, type QueueLimits } from './fair-queue.ts';
import { type Pace, Reception } from './reception.ts';
import { Receptions } from './receptions.ts';
import type { RequestAddress } from './request-address.ts';
import type { RequestEnd } from './request-end.ts';
import { header, isReading, type WireRequest } from './wire-request.ts';

/**
 * Kinds of work that requests do. A process does a limited number of each at once (docs/decisions/0011-bounded-work.md): reading one
 * object or little more, searching, reading the site as it would be, receiving a body, receiving a large one, logging in, and writing; and waiting for something
 * slow, one class for each: files (the object store, scales of pictures in the making), providers of logins, the language model.
 */
export type WorkClass = 'read' | 'search' | 'preview' | 'body' | 'upload' | 'login' | 'write' | OutsideWork;

const LIMITS: Readonly<Record<WorkClass, QueueLimits>> = {
  read: { places: 8, reserved: 2, perClient: 8, maxWaiting: 1000, maxWaitingPerClient: 500 },
  search: { places: 3, reserved: 1, perClient: 3, maxWaiting: 300, maxWaitingPerClient: 100 },
  // Each does all the work of the preview first, in a transaction.
  preview: { places: 2, reserved: 0, perClient: 2, maxWaiting: 40, maxWaitingPerClient: 20 },
  body: { places: 64, reserved: 16, perClient: 40, maxWaiting: 500, maxWaitingPerClient: 300 },
  upload: { places: 8, reserved: 2, perClient: 4, maxWaiting: 32, maxWaitingPerClient: 16 },
  // Mostly waiting: passwords have bounds of their own (auth/passwords.ts, auth/login-throttle.ts).
  login: { places: 200, reserved: 0, perClient: 200, maxWaiting: 0, maxWaitingPerClient: 0 },
  write: { places: 8, reserved: 2, perClient: 8, maxWaiting: 500, maxWaitingPerClient: 300 },
  files: { places: 24, reserved: 6, perClient: 8, maxWaiting: 500, maxWaitingPerClient: 200 },
  provider: { places: 16, reserved: 0, perClient: 4, maxWaiting: 100, maxWaitingPerClient: 20 },
  model: { places: 24, reserved: 6, perClient: 6, maxWaiting: 100, maxWaitingPerClient: 20 },
};

/** The classes in which a body is received. */
const RECEIVING: ReadonlySet<WorkClass> = new Set(['body', 'upload']);

/** Minimum bytes of a body that counts as an upload. */
const UPLOAD_BYTES = 1024 * 1024;

/** Maximum number of credentials that are remembered as right, and for how many milliseconds. They are used only to assign places. */
const MAX_PROVEN = 5000;
const PROVEN_MS = 10 * MINUTE_MS;

/** Says if a request searches. */
export const isSearch = ({ service }: RequestAddress): boolean => isSearchService(service);

/** Says if a request lists whole objects. */
const isForWhole = ({ target }: WireRequest): boolean => /[?&]fullobjects\b/.test(target);

/** The class of the work before the body is received; most requests have no further work. */
export const firstClass = (address: RequestAddress, request: WireRequest): WorkClass =>
  isReading(request) && (isSearch(address) || isForWhole(request)) ? 'search' : 'read';

/** The class for receiving a body; a body of unknown length may be large. */
function bodyClass(request: WireRequest): WorkClass {
  const length = header(request, 'content-length');
  if (length === undefined) return header(request, 'transfer-encoding') === undefined ? 'body' : 'upload';
  return Number(length) > UPLOAD_BYTES ? 'upload' : 'body';
}

/** The class of the work of a service with a body. */
export function serviceClass({ name, waitsFor }: Service, address: RequestAddress): WorkClass {
  if (waitsFor) return waitsFor;
  if (name === '@login') return 'login';
  return isSearch(address) ? 'search' : 'write';
}

/** The least pace of a body while others wait for its place: for logged-in users, and for others. */
const PACES: Readonly<Record<'known' | 'others', Pace>> = {
  known: { bytes: 16 * 1024, ms: 5000 },
  others: { bytes: 32 * 1024, ms: 500 },
};
/** Milliseconds that a body may pause, and the longer pause of an upload that can be continued: phones lose their connection for a while. */
const GRACE_MS = 20_000;
const UPLOAD_GRACE_MS = 60_000;

/** State that the requests of one process share. */
type Shared = {
  queues: Readonly<Record<WorkClass, FairQueue>>;
  receptions: Receptions;
  /** Credentials that were right a short time ago; they get the place of a user without a lookup. */
  proven: LRUCache<string, true>;
};

/** The client of a request: its address, and credentials that are not checked yet. */
type Sender = { address: string; credential: string | undefined };

/** The places that one request has taken. */
export class WorkPlaces {
  readonly #shared: Shared;
  readonly #sender: Sender;
  readonly #end: RequestEnd;
  #applicant: Applicant;
  #held: { work: WorkClass; leave: () => void }[] = [];
  #moving: Promise<void> | undefined;
  #reception: Reception | undefined;
  #isOver = false;

  constructor(
    shared: Shared,
    { sender, subject, isKnown }: { sender: Sender; subject: string; isKnown: boolean },
    end: RequestEnd,
  ) {
    this.#shared = shared;
    this.#sender = sender;
    this.#end = end;
    this.#applicant = { client: (isKnown ? sender.credential : undefined) ?? sender.address, subject, isKnown };
  }

  /** Sets the sender of the request, once authenticated: a user, or null for a sender who is not logged in. */
  identify(user: string | null): void {
    const { address, credential } = this.#sender;
    if (credential !== undefined && user !== null) this.#shared.proven.set(credential, true);
    else if (credential !== undefined) this.#shared.proven.delete(credential);
    const client = user === null ? address : (credential ?? `user ${user}`);
    this.#applicant = { ...this.#applicant, client, isKnown: user !== null };
  }

  /** Takes one more place, which a `holder` may lose. Throws as `FairQueue.enter` does. */
  async take(work: WorkClass, holder?: Holder): Promise<void> {
    const leave = await this.#shared.queues[work].enter(this.#applicant, this.#end, holder);
    if (this.#isOver) leave();
    else this.#held.push({ work, leave });
  }

  /**
   * The body of a request, for which a place is taken once it turns out to be long. `canGoOn` says that an upload may be continued;
   * `observe` sees each piece.
   */
  receive(
    request: WireRequest,
    { canGoOn = false, observe }: { canGoOn?: boolean; observe?: ((chunk: Buffer) => void) | undefined },
  ): Readable {
    const { client, isKnown } = this.#applicant;
    this.#reception = new Reception(request.body, {
      ...{ receptions: this.#shared.receptions, client, isKnown },
      graceMs: canGoOn ? UPLOAD_GRACE_MS : GRACE_MS,
      pace: isKnown ? PACES.known : PACES.others,
      takePlace: (holder) => this.take(bodyClass(request), holder),
      observe,
    });
    return this.#reception;
  }

  /**
   * Exchanges the places of a request for a place to wait for another service, so that other requests may have them. A request that is still
   * receiving a body keeps its place, because clients may send slowly. After the work is done, no place is needed. Throws as `take` does.
   */
  async waitFor(work: OutsideWork): Promise<void> {
    const last = this.#held.at(-1)?.work;
    if (this.#isOver || last === work || (last && RECEIVING.has(last))) return;
    // When several parts of one request wait at once, the first part takes the place.
    if (!this.#moving) {
      this.leave();
      this.#moving = this.take(work);
    }
    await this.#moving;
  }

  /** Leaves all places. */
  leave(): void {
    this.#moving = undefined;
    for (const { leave } of this.#held.splice(0)) leave();
  }

  /** The request is done: it leaves all places, and takes no more. */
  close(): void {
    this.#isOver = true;
    this.#reception?.destroy();
    this.leave();
  }
}

/** The work of the requests of one process. */
export class Work {
  readonly #auth: AuthContext;
  readonly #queues: Readonly<Record<WorkClass, FairQueue>> = {
    read: new FairQueue(LIMITS.read),
    search: new FairQueue(LIMITS.search),
    preview: new FairQueue(LIMITS.preview),
    body: new FairQueue(LIMITS.body),
    upload: new FairQueue(LIMITS.upload),
    login: new FairQueue(LIMITS.login),
    write: new FairQueue(LIMITS.write),
    files: new FairQueue(LIMITS.files),
    provider: new FairQueue(LIMITS.provider),
    model: new FairQueue(LIMITS.model),
  };
  readonly #shared: Shared = {
    queues: this.#queues,
    receptions: new Receptions(),
    proven: new LRUCache({ max: MAX_PROVEN, ttl: PROVEN_MS }),
  };
  /** Passwords are in memory only as digests with this key. */
  readonly #key = randomBytes(32).toString('base64url');

  constructor(auth: AuthContext) {
    this.#auth = auth;
  }

  /** The numbers of requests that have a place, that wait for a place, and that were rejected since the start, in each class. */
  figures(): Record<WorkClass, { running: number; waiting: number; refused: number }> {
    const figuresOf = ({ running, waiting, refused }: FairQueue) => ({ running, waiting, refused });
    const { read, search, preview, body, upload, login, write, files, provider, model } = this.#queues;
    return {
      read: figuresOf(read),
      search: figuresOf(search),
      preview: figuresOf(preview),
      body: figuresOf(body),
      upload: figuresOf(upload),
      login: figuresOf(login),
      write: figuresOf(write),
      files: figuresOf(files),
      provider: figuresOf(provider),
      model: figuresOf(model),
    };
  }

  /** The places of a request, empty at first. `end` ends its waiting. */
  async placesFor(request: WireRequest, { path }: RequestAddress, end: RequestEnd): Promise<WorkPlaces> {
    const credentials = parseCredentials({
      method: request.method,
      authorization: header(request, 'authorization'),
      cookie: header(request, 'cookie'),
    });
    const credential = credentials ? this.#nameOf(credentials) : undefined;
    const isKnown =
      credential !== undefined && (this.#shared.proven.has(credential) || (await this.#isSession(credentials)));
    const sender = { address: `address ${clientNetwork(request.clientAddress)}`, credential };
    return new WorkPlaces(this.#shared, { sender, subject: path, isKnown }, end);
  }

  /** The name of credentials as a client: several sessions or tokens of one user are several clients. */
  #nameOf(credentials: Credentials): string {
    const secret = credentials.kind === 'token' ? credentials.token : `${credentials.login}:${credentials.password}`;
    return `${credentials.kind} ${hash('sha256', this.#key + secret, 'base64url')}`;
  }

  /** Says if credentials are the token of a session, as far as that can be checked without the database. */
  async #isSession(credentials: Credentials | null): Promise<boolean> {
    return credentials?.kind === 'token' && (await sessionOwner(this.#auth, credentials.token)) !== null;
  }
}
