import type { WorkEnd } from '../../database/database.ts';
import { ServiceUnavailable } from '../../lib/errors.ts';

/** How much of one class of work is done at once, and how much may wait. */
export type QueueLimits = {
  /** Maximum number that run at once. */
  places: number;
  /** The number of places for users who are logged in only. */
  reserved: number;
  /** Maximum number of places of one client. */
  perClient: number;
  maxWaiting: number;
  maxWaitingPerClient: number;
};

/** A waiting request: its client, what it requests, and whether its user is logged in. */
export type Applicant = { client: string; subject: string; isKnown: boolean };

/** The work that has a place: it may be slow because it waits for its client. */
export type Holder = {
  /** Says if it waits for its client rather than going on; `now` is that of `performance.now`. */
  isSlow(now: number): boolean;
  /** Ends the work, which then leaves its place. */
  displace(): void;
};

/** Milliseconds between two looks for slow work while others wait. */
const LOOK_MS = 100;
/** Milliseconds after which an applicant without a place is rejected. */
const MAX_WAIT_MS = 20_000;
/** Seconds after which its client should try again. */
const RETRY_SECONDS = 3;

type Waiter = Applicant & { start(): void };
/** The waiting requests: by client, then by requested subject. The maps are in the order of the turns. */
type Ring = Map<string, Map<string, Waiter[]>>;

/** The error for work without a free place. */
export const tooMuchToDo = (): ServiceUnavailable =>
  new ServiceUnavailable('The server has too much to do at the moment. Try again in a few seconds.', RETRY_SECONDS);

/** Puts the entry behind all others; removes it when it is empty. */
function turn<T extends { size: number } | { length: number }>(map: Map<string, T>, key: string, entry: T): void {
  map.delete(key);
  if (('size' in entry ? entry.size : entry.length) > 0) map.set(key, entry);
}

/**
 * Places for work of one class, and the requests that wait for places. Clients take turns, and so do the subjects of one client, so that more
 * requests bring no more places. Logged-in users and all others take turns, too. Work that is slow because of its client loses its place when another
 * request waits.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #known: Ring = new Map();
  readonly #others: Ring = new Map();
  readonly #runningOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  readonly #holders = new Map<Holder, Applicant>();
  #looking: NodeJS.Timeout | undefined;
  #running = 0;
  #waiting = 0;
  #refused = 0;
  #isTurnOfKnown = true;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** The number of requests that got no place, or lost it. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Waits for a place and returns the function that leaves it. Throws ServiceUnavailable when too many requests wait or no place became free in time,
   * and the reason for the end when the work must end early. A `holder` may lose the place.
   */
  async enter(applicant: Applicant, end: WorkEnd, holder?: Holder): Promise<() => void> {
    end.throwIfOver();
    if (this.#mayStart(applicant) && !this.#isOvertaking(applicant)) return this.#start(applicant, holder);
    const { maxWaiting, maxWaitingPerClient } = this.#limits;
    if (this.#waiting >= maxWaiting || (this.#waitingOf.get(applicant.client) ?? 0) >= maxWaitingPerClient)
      throw this.#refusal();
    return this.#wait(applicant, end, holder);
  }

  #wait(applicant: Applicant, end: WorkEnd, holder: Holder | undefined): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        ended();
        this.#waiting -= 1;
        this.#count(this.#waitingOf, applicant.client, -1);
      };
      const giveUp = (reason: unknown): void => {
        this.#remove(waiter);
        stop();
        reject(reason);
      };
      const ended = end.onOver(giveUp);
      const timer = setTimeout(() => giveUp(this.#refusal()), MAX_WAIT_MS).unref();
      const waiter: Waiter = {
        ...applicant,
        start: () => {
          stop();
          resolve(this.#start(applicant, holder));
        },
      };
      this.#waiting += 1;
      this.#count(this.#waitingOf, applicant.client, 1);
      this.#add(waiter);
      this.#displaceSlow();
    });
  }

  #start(applicant: Applicant, holder: Holder | undefined): () => void {
    const { client } = applicant;
    if (holder) this.#holders.set(holder, applicant);
    this.#running += 1;
    this.#count(this.#runningOf, client, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (holder) this.#holders.delete(holder);
      this.#running -= 1;
      this.#count(this.#runningOf, client, -1);
      this.#startNext();
    };
  }

  #refusal(): ServiceUnavailable {
    this.#refused += 1;
    return tooMuchToDo();
  }

  /** Ends slow work whose place is wanted, now and as long as a request waits. */
  #displaceSlow(): void {
    const now = performance.now();
    let wanted = this.#waiting;
    for (const [holder, applicant] of this.#holders) {
      if (wanted === 0) break;
      if (!holder.isSlow(now) || !this.#isWanted(applicant)) continue;
      wanted -= 1;
      this.#refused += 1;
      holder.displace();
    }
    if (this.#waiting > 0 && this.#holders.size > 0)
      this.#looking ??= setTimeout(() => {
        this.#looking = undefined;
        this.#displaceSlow();
      }, LOOK_MS).unref();
  }

  /** Says if a waiting applicant could have the place of this one; the place of a logged-in user goes to logged-in users only. */
  #isWanted({ client, isKnown }: Applicant): boolean {
    const { perClient } = this.#limits;
    const mayStart = (other: string): boolean => other === client || (this.#runningOf.get(other) ?? 0) < perClient;
    const isWantedBy = (ring: Ring): boolean => [...ring.keys()].some(mayStart);
    return isWantedBy(this.#known) || (!isKnown && isWantedBy(this.#others));
  }

  /** Says if there is a place for the applicant. */
  #mayStart({ client, isKnown }: Pick<Applicant, 'client' | 'isKnown'>): boolean {
    const { places, reserved, perClient } = this.#limits;
    const free = places - this.#running - (isKnown ? 0 : reserved);
    return free > 0 && (this.#runningOf.get(client) ?? 0) < perClient;
  }

  /** Says if earlier applicants of the same kind wait: a free place is theirs. */
  #isOvertaking({ isKnown }: Applicant): boolean {
    return this.#next(isKnown ? this.#known : this.#others, isKnown) !== undefined;
  }

  #startNext(): void {
    for (;;) {
      const rings = this.#isTurnOfKnown ? [this.#known, this.#others] : [this.#others, this.#known];
      const found = rings.map((ring) => ({ ring, lanes: this.#next(ring, ring === this.#known) }));
      const first = found.find(({ lanes }) => lanes !== undefined);
      if (!first?.lanes) return;
      this.#isTurnOfKnown = first.ring !== this.#known;
      const [client, lanes] = first.lanes;
      for (const [subject, lane] of lanes) {
        const waiter = lane.shift();
        turn(lanes, subject, lane);
        turn(first.ring, client, lanes);
        waiter?.start();
        break;
      }
    }
  }

  /** The next client of a ring who may start. */
  #next(ring: Ring, isKnown: boolean): [string, Map<string, Waiter[]>] | undefined {
    for (const entry of ring) if (this.#mayStart({ client: entry[0], isKnown })) return entry;
    return undefined;
  }

  #add(waiter: Waiter): void {
    const ring = waiter.isKnown ? this.#known : this.#others;
    const lanes = ring.get(waiter.client) ?? new Map<string, Waiter[]>();
    const lane = lanes.get(waiter.subject) ?? [];
    lane.push(waiter);
    lanes.set(waiter.subject, lane);
    ring.set(waiter.client, lanes);
  }

  #remove(waiter: Waiter): void {
    const ring = waiter.isKnown ? this.#known : this.#others;
    const lanes = ring.get(waiter.client);
    const lane = lanes?.get(waiter.subject);
    if (!lanes || !lane) return;
    lane.splice(lane.indexOf(waiter), 1);
    if (lane.length === 0) lanes.delete(waiter.subject);
    if (lanes.size === 0) ring.delete(waiter.client);
  }

  #count(counts: Map<string, number>, key: string, change: number): void {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }
}
