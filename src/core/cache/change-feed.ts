import { type CacheTags, type ChangedTags, isTouched } from '../../database/cache-tags.ts';
import type { Database } from '../../database/database.ts';
import type { SeenSnapshot } from '../../database/replicas.ts';
import { type Clock, forwardClock } from '../../lib/process/process.ts';
import { Slot } from '../../lib/slots.ts';
import * as siteChanges from './statements/site-changes.ts';

/** The change feed of the process. */
export const CHANGE_FEED = new Slot<ChangeFeed>('change feed');

/** Milliseconds for which the database keeps changes for processes that have not polled. */
const MAX_AGE_MS = 300_000;
/** Milliseconds after which a process that has not polled takes everything as changed; less than `MAX_AGE_MS`. */
const TRUST_MS = 240_000;
/** Milliseconds after which a process polls without need, so that it is never silent for as long as `TRUST_MS`. */
const POLL_EVERY_MS = 60_000;
/** Milliseconds between two removals of old changes. */
const CLEAN_UP_EVERY_MS = 60_000;
/** Maximum number of versions whose changes are in memory, and of the objects and containers in these changes. */
const MAX_VERSIONS = 2000;
const MAX_NOTED = 20_000;

/** The number of objects and containers in a change. */
const notedIn = (change: ChangedTags | undefined): number =>
  change === undefined || change === 'anything' ? 0 : change.objects.size + change.containers.size;

/**
 * Says what has changed since cached values were made. A version is a span in which nothing changed: no writer of any process
 * committed, and nothing became effective or expired (docs/caching-inside.md, docs/decisions/0006-response-cache.md).
 */
export class ChangeFeed {
  readonly #db: Database;
  readonly #now: Clock;
  #version = 0;
  /** The last poll: its snapshot and server, the time when it was sent, and the number of writes that this process had sent before. */
  #last: { snapshot: string; server: string; sent: number; writes: number | undefined } | undefined;
  /** The place in the log of writes at the beginning of the version: the site has not changed since. */
  #position = 0;
  /** The instant at which the version ends without a change. */
  #ends = 0;
  /** The changes that began the last versions, the oldest first, up to the present version. */
  #changes: ChangedTags[] = [];
  /** The number of objects and containers in all of these changes. */
  #noted = 0;
  /** A check that is not sent yet, which serves all requests that come before it is sent. */
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Snapshots by their age, the oldest first, for the removal of old changes. */
  #past: { snapshot: string; sent: number }[] = [];
  #cleaned = Number.NEGATIVE_INFINITY;

  constructor(db: Database, now: Clock = forwardClock()) {
    this.#db = db;
    this.#now = now;
  }

  /** The version of the last poll: reads from now on are at least as new. No SQL. */
  get version(): number {
    return this.#version;
  }

  /**
   * The version now, confirmed by a poll that began after the call. Many calls share one poll; if no other process can write, a poll is needed only
   * after a write of this process.
   */
  async current(): Promise<number> {
    if (this.#isStill()) return this.#version;
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const poll = this.#poll();
      // The caller of this check gets its failure; the next check only waits until this one ends.
      this.#running = poll.catch(() => {});
      return poll;
    });
    await this.#next;
    return this.#version;
  }

  /** The snapshot of a poll that began after the call. A replica that has reached it returns the same rows as the primary. */
  async snapshot(): Promise<SeenSnapshot> {
    await this.current();
    if (this.#last === undefined) throw new Error('No poll has found anything');
    const { snapshot, server } = this.#last;
    return { snapshot, server, position: this.#position };
  }

  /** Milliseconds until time alone may change a response, by the last poll; 0 before the first poll. No SQL. */
  get lasts(): number {
    return Math.max(0, this.#ends - this.#now());
  }

  /** The changes since a version, by the last poll. No SQL. */
  changesSince(version: number): ChangedTags {
    const count = this.#version - version;
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

  /** The one rule of validity: says whether a value with these tags that was made in a version is valid, by the last poll. No SQL. */
  isValid(version: number, tags: CacheTags): boolean {
    return version === this.#version || !isTouched(tags, this.changesSince(version));
  }

  #isStill(): boolean {
    const { writes } = this.#db;
    const last = this.#last;
    if (writes === undefined || last?.writes !== writes) return false;
    const now = this.#now();
    return now < this.#ends && (this.#isEmbedded || now - last.sent < POLL_EVERY_MS);
  }

  /** Only this process ever writes to the embedded database. */
  get #isEmbedded(): boolean {
    return this.#db.engine === 'pglite';
  }

  async #poll(): Promise<void> {
    const sent = this.#now();
    const { writes } = this.#db;
    const last = this.#last;
    const isTrusted = last !== undefined && (this.#isEmbedded || sent - last.sent < TRUST_MS);
    const isOver = sent >= this.#ends;
    // If no other process can write, this process polls only after its own writes, so there is always a change.
    if (isTrusted && !isOver && writes === undefined) {
      const { snapshot, server, changed } = await siteChanges.poll(this.#db, last.snapshot);
      if (!changed && server === last.server) {
        this.#last = { snapshot, server, sent, writes };
        return;
      }
    }
    const found = await siteChanges.load(this.#db, isTrusted ? last.snapshot : null);
    const { snapshot, server } = found;
    this.#last = { snapshot, server, sent, writes };
    // This process may have seen transactions that another server has lost, and whose numbers new transactions get.
    const change = isOver || server !== last?.server ? 'anything' : found.change;
    if (change === undefined) return;
    this.#begin(change);
    this.#position = found.position;
    this.#ends = sent + (found.lasts ?? Number.POSITIVE_INFINITY);
    await this.#cleanUp(found.snapshot, sent);
  }

  #begin(change: ChangedTags): void {
    this.#version += 1;
    // Whatever was made before a change of anything is invalid: earlier changes say nothing more.
    if (change === 'anything') {
      this.#changes = [];
      this.#noted = 0;
    }
    this.#changes.push(change);
    this.#noted += notedIn(change);
    while (this.#changes.length > MAX_VERSIONS || this.#noted > MAX_NOTED)
      this.#noted -= notedIn(this.#changes.shift());
  }

  /** Removes the changes that every process has seen, or that are too old for any process to rely on. */
  async #cleanUp(snapshot: string, sent: number): Promise<void> {
    if (sent - this.#cleaned < CLEAN_UP_EVERY_MS) return;
    this.#cleaned = sent;
    this.#past.push({ snapshot, sent });
    let old: string | undefined;
    while (this.#past[0] && sent - this.#past[0].sent >= MAX_AGE_MS) old = this.#past.shift()?.snapshot;
    if (old !== undefined) await siteChanges.forget(this.#db, old);
  }
}
