import { type Clock, forwardClock } from '../lib/process.ts';
import type { Database } from './database.ts';
import { forgetSiteChanges, type SiteMoment, siteMoment } from './statements/site-changes.ts';

/** Milliseconds that changes are remembered in the database for processes that have not looked. */
const KEPT = 300_000;
/** Milliseconds after which a process that has not looked takes everything as changed; less than `KEPT`. */
const TRUSTED = 240_000;
/** Milliseconds between two removals of old changes. */
const CLEAN_UP = 60_000;

/**
 * Tells whether the site is still the one that cached responses were made of. A generation is a span in which nothing has
 * changed: no writer, of whatever process, has committed, and nothing became effective or expired. See
 * docs/decisions/0006-response-cache.md.
 */
export class ChangeWatch {
  readonly #db: Database;
  readonly #now: Clock;
  #generation = 0;
  /** The last look: its snapshot, when it was sent, and how many writes this process had sent by then. */
  #last: { snapshot: string; sent: number; writes: number | undefined } | undefined;
  /** When time ends the generation. */
  #ends = 0;
  /** A look that is not sent yet: it serves everybody who asks before it is. */
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Snapshots by their age, the oldest first, for the removal of old changes. */
  #past: { snapshot: string; sent: number }[] = [];
  #cleaned = Number.NEGATIVE_INFINITY;

  constructor(db: Database, now: Clock = forwardClock()) {
    this.#db = db;
    this.#now = now;
  }

  /** The generation that was seen last: what is read from now on is at least as new. No SQL. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * The generation now: a look that began after the call has confirmed it. Many calls share one look; where no other
   * process can write, none is needed until this one does.
   */
  async current(): Promise<number> {
    if (this.#isStill()) return this.#generation;
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const look = this.#look();
      // Whoever asked hears of a failure; the next look only waits for the end of this one.
      this.#running = look.catch(() => {});
      return look;
    });
    await this.#next;
    return this.#generation;
  }

  #isStill(): boolean {
    const { writes } = this.#db;
    return writes !== undefined && this.#last?.writes === writes && this.#now() < this.#ends;
  }

  async #look(): Promise<void> {
    const sent = this.#now();
    const { writes } = this.#db;
    const last = this.#last;
    const isTrusted = last !== undefined && (writes !== undefined || sent - last.sent < TRUSTED);
    const isOver = sent >= this.#ends;
    const moment = await siteMoment(this.#db, isTrusted ? last.snapshot : null, isOver);
    this.#last = { snapshot: moment.snapshot, sent, writes };
    if (moment.changed || isOver) this.#begin(moment, sent);
    await this.#cleanUp(moment, sent);
  }

  #begin({ lasts }: SiteMoment, sent: number): void {
    this.#generation += 1;
    this.#ends = sent + (lasts ?? Number.POSITIVE_INFINITY);
  }

  /** Removes the changes that every process has seen or takes as seen. */
  async #cleanUp({ snapshot, changed }: SiteMoment, sent: number): Promise<void> {
    if (!changed || sent - this.#cleaned < CLEAN_UP) return;
    this.#cleaned = sent;
    this.#past.push({ snapshot, sent });
    let old: string | undefined;
    while (this.#past[0] && sent - this.#past[0].sent >= KEPT) old = this.#past.shift()?.snapshot;
    if (old !== undefined) await forgetSiteChanges(this.#db, old);
  }
}
