/** Milliseconds of the first rest after a failure; each further one is twice as long, up to the last. */
const FIRST_REST_MS = 2000;
const LAST_REST_MS = 60_000;
/** Failures in a row, each of them quick, from which on a service rests. One that says nothing rests at once. */
const MAX_QUICK_FAILURES = 3;

/** Services whose failures are remembered at the same time. */
const MAX_CIRCUITS = 1000;

/** How another service failed: it said nothing in time, or the connection was refused or cut, which takes no time. */
export type FailureKind = 'silent' | 'quick';

/** A piece of work with a service: when it began, and whether it is the one by which a service that has failed is tried again. */
export type Attempt = { began: number; isTrial: boolean };

/**
 * Remembers that a service fails, so that not everybody waits for it: after a failure it is not asked for some seconds, then by one
 * request at a time, until one succeeds. Each rest is longer than the one before.
 */
export class Circuit {
  readonly #maxSilences: number;
  #failures = 0;
  #rests = 0;
  #restBegan = 0;
  #restEnds = 0;
  #isTried = false;

  /** `maxSilences` is the number of failures in a row by silence from which on the service rests: more than one where work may be long. */
  constructor(maxSilences = 1) {
    this.#maxSilences = maxSilences;
  }

  /** Begins a piece of work. Returns the seconds to wait instead while the service rests, or is being tried. */
  begin(): Attempt | { retryAfter: number } {
    const now = performance.now();
    const isTrial = this.#rests > 0;
    if (isTrial && (now < this.#restEnds || this.#isTried)) return { retryAfter: this.retryAfter };
    this.#isTried = isTrial;
    return { began: now, isTrial };
  }

  /** Seconds until the service is asked again; 0 for one that works. */
  get retryAfter(): number {
    if (this.#rests === 0) return 0;
    return Math.max(1, Math.ceil((this.#restEnds - performance.now()) / 1000));
  }

  /** True while requests to the service are turned away. */
  get rests(): boolean {
    return this.#rests > 0 && (this.#isTried || performance.now() < this.#restEnds);
  }

  /** The service did its work. */
  worked({ isTrial }: Attempt): void {
    if (isTrial) this.#isTried = false;
    this.#failures = 0;
    this.#rests = 0;
  }

  /** The service failed. Of several that fail together only the first makes it rest. */
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

  /** The work ended by the will of the one that asked, which says nothing of the service. */
  abandoned({ isTrial }: Attempt): void {
    if (isTrial) this.#isTried = false;
  }
}

/** Circuits by the addresses of services, for work with any number of them. */
export class Circuits {
  readonly #circuits = new Map<string, Circuit>();

  /** The circuit of a service. Of more services than MAX_CIRCUITS those are forgotten that have been asked first. */
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
