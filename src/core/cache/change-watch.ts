import type { Database } from '../../database/database.ts';
import type { ChangedTags } from '../../database/footprint.ts';
import type { SeenMoment } from '../../database/replicas.ts';
import { type Clock, forwardClock } from '../../lib/process/process.ts';
import { Slot } from '../../lib/slots.ts';
import { forgetSiteChanges, loadSiteMoment, lookForChanges } from './statements/site-changes.ts';

/** What the process knows of changes of the site. */
export const CHANGE_WATCH = new Slot<ChangeWatch>('changes of the site');

/** Milliseconds that changes are remembered in the database for processes that have not looked. */
const KEPT = 300_000;
/** Milliseconds after which a process that has not looked takes everything as changed; less than `KEPT`. */
const TRUSTED = 240_000;
/** Milliseconds after which a process looks that has no need to, so that it is never silent for so long. */
const LOOK_EVERY = 60_000;
/** Milliseconds between two removals of old changes. */
const CLEAN_UP = 60_000;
/** Generations whose changes are remembered. */
const MAX_GENERATIONS = 200;

/**
 * Finds out what has changed since cached responses were made. A generation is a span in which nothing has changed: no
 * writer, of whatever process, has committed, and nothing became effective or expired. See
 * docs/decisions/0006-response-cache.md.
 */
export class ChangeWatch {
  readonly #db: Database;
  readonly #now: Clock;
  #generation = 0;
  /** The last look: its snapshot and server, when it was sent, and how many writes this process had sent by then. */
  #last: { snapshot: string; server: string; sent: number; writes: number | undefined } | undefined;
  /** The place in the log of writes at the beginning of the generation: the site has not changed since. */
  #position = 0;
  /** When time ends the generation. */
  #ends = 0;
  /** What changed at the beginning of the last generations, the oldest first; the last one is the present one. */
  #changes: ChangedTags[] = [];
  /** A check that is not sent yet: it serves all requests until it is. */
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
      // The caller of this check gets its failure; the next check only waits for its end.
      this.#running = look.catch(() => {});
      return look;
    });
    await this.#next;
    return this.#generation;
  }

  /** The site as a look that began after the call has found it: what a replica must have to stand for the primary. */
  async moment(): Promise<SeenMoment> {
    await this.current();
    if (this.#last === undefined) throw new Error('No look has found anything');
    const { snapshot, server } = this.#last;
    return { snapshot, server, position: this.#position };
  }

  /** Milliseconds until time alone may change what is shown, as far as the last look knows; 0 before it. No SQL. */
  get lasts(): number {
    return Math.max(0, this.#ends - this.#now());
  }

  /** What has changed since a generation, as far as looks have found it. No SQL. */
  changesSince(generation: number): ChangedTags {
    const count = this.#generation - generation;
    if (count > this.#changes.length) return 'anything';
    const changes = count === 0 ? [] : this.#changes.slice(-count);
    const [objects, containers] = [new Set<number>(), new Set<number>()];
    for (const change of changes) {
      if (change === 'anything') return 'anything';
      for (const oid of change.objects) objects.add(oid);
      for (const oid of change.containers) containers.add(oid);
    }
    return { objects, containers };
  }

  #isStill(): boolean {
    const { writes } = this.#db;
    const last = this.#last;
    if (writes === undefined || last?.writes !== writes) return false;
    const now = this.#now();
    return now < this.#ends && (this.#isEmbedded || now - last.sent < LOOK_EVERY);
  }

  /** Only this process ever writes to the embedded database. */
  get #isEmbedded(): boolean {
    return this.#db.engine === 'pglite';
  }

  async #look(): Promise<void> {
    const sent = this.#now();
    const { writes } = this.#db;
    const last = this.#last;
    const isTrusted = last !== undefined && (this.#isEmbedded || sent - last.sent < TRUSTED);
    const isOver = sent >= this.#ends;
    // Where no other process can write, there is something new whenever this one looks.
    if (isTrusted && !isOver && writes === undefined) {
      const { snapshot, server, changed } = await lookForChanges(this.#db, last.snapshot);
      if (!changed && server === last.server) {
        this.#last = { snapshot, server, sent, writes };
        return;
      }
    }
    const moment = await loadSiteMoment(this.#db, isTrusted ? last.snapshot : null);
    const { snapshot, server } = moment;
    this.#last = { snapshot, server, sent, writes };
    // Transactions that another server lost may have been seen, and their numbers be given to others.
    const change = isOver || server !== last?.server ? 'anything' : moment.change;
    if (change === undefined) return;
    this.#begin(change);
    this.#position = moment.position;
    this.#ends = sent + (moment.lasts ?? Number.POSITIVE_INFINITY);
    await this.#cleanUp(moment.snapshot, sent);
  }

  #begin(change: ChangedTags): void {
    this.#generation += 1;
    this.#changes.push(change);
    if (this.#changes.length > MAX_GENERATIONS) this.#changes.shift();
  }

  /** Removes the changes that every process has seen or takes as seen. */
  async #cleanUp(snapshot: string, sent: number): Promise<void> {
    if (sent - this.#cleaned < CLEAN_UP) return;
    this.#cleaned = sent;
    this.#past.push({ snapshot, sent });
    let old: string | undefined;
    while (this.#past[0] && sent - this.#past[0].sent >= KEPT) old = this.#past.shift()?.snapshot;
    if (old !== undefined) await forgetSiteChanges(this.#db, old);
  }
}
