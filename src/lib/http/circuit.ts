/** Milliseconds of the first rest after a failure, and of the longest; each further rest is twice as long. */
const FIRST_REST_MS = 2000;
const LAST_REST_MS = 60_000;
/** Number of quick failures in a row after which a service rests. A service that does not respond rests at once. */
const MAX_QUICK_FAILURES = 3;

/** Maximum number of services whose failures are in memory. */
const MAX_CIRCUITS = 1000;

/**
 * The kind of a failure of another service: no response in time (`silent`), or a connection that was refused or cut, which takes no time (`quick`).
 */
export type FailureKind = 'silent' | 'quick';

/** A piece of work with a service: the time of its beginning, and true if it is the trial of a service that has failed. */
export type Attempt = { began: number; isTrial: boolean };

/**
 * Tracks the failures of a service, so that not every request waits for it: after a failure it gets no requests for some seconds, then one request at
 * a time, until one succeeds. Each rest is longer than the previous one.
 */
export class Circuit {
  readonly #maxSilences: number;
  #failures = 0;
  #rests = 0;
  #restBegan = 0;
  #restEnds = 0;
  #isTried = false;

  /** `maxSilences` is the number of failures in a row without a response after which the service rests: more than one if its work may be long. */
  constructor(maxSilences = 1) {
    this.#maxSilences = maxSilences;
  }

  /** Begins a piece of work. While the service rests or is being tried, it returns the seconds to wait instead. */
  begin(): Attempt | { retryAfter: number } {
    const now = performance.now();
    const isTrial = this.#rests > 0;
    if (isTrial && (now < this.#restEnds || this.#isTried)) return { retryAfter: this.retryAfter };
    this.#isTried = isTrial;
    return { began: now, isTrial };
  }

  /** Seconds until the service gets requests again; 0 for a working service. */
  get retryAfter(): number {
    if (this.#rests === 0) return 0;
    return Math.max(1, Math.ceil((this.#restEnds - performance.now()) / 1000));
  }

  /** True while requests to the service are rejected. */
  get rests(): boolean {
    return this.#rests > 0 && (this.#isTried || performance.now() < this.#restEnds);
  }

  /** Notes that the service did its work. */
  worked({ isTrial }: Attempt): void {
    if (isTrial) this.#isTried = false;
    this.#failures = 0;
    this.#rests = 0;
  }

  /** Notes that the service failed. Of several concurrent failures only the first one makes it rest. */
  failed({ began, isTrial }: Attempt, kind: FailureKind): void {
    if (isTrial) this.#isTried = false;
    if (!isTrial && this.#rests > 0 && began <= this.#restBegan) return;
    this.#failures += 1;
    const limit = kind === 'quick' ? MAX_QUICK_FAILURES : this.#maxSilences;
    if (this.#rests === 0 && this.#failures < limit) return;
    this.#restBegan = performance.now();
    this.#restEnds = this.#restBegan + Math.min(LAST_REST_MS, FIRST_REST_MS * 2 ** Math.min(20, this.#rests));
    this.#rests += 1;
  }

  /** Notes that the caller has ended the work, which says nothing about the service. */
  abandoned({ isTrial }: Attempt): void {
    if (isTrial) this.#isTried = false;
  }
}

/** Circuits by the addresses of services, for work with any number of them. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  /** The circuit of a service. Beyond MAX_CIRCUITS services, the oldest ones are removed. */
  of(service: string): Circuit {
    const known = this.#circuits.get(service);
    if (known) return known;
    const [first] = this.#circuits.keys();
    if (first !== undefined && this.#circuits.size >= MAX_CIRCUITS) this.#circuits.delete(first);
    const circuit = new Circuit();
    this.#circuits.set(service, circuit);
    return circuit;
  }
}
