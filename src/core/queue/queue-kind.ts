import type { JsonObject } from '../../lib/json-object.ts';

/** Pauses in milliseconds between attempts: one that is doubled each time up to the last one, or each by itself. */
export type Backoff = { firstMs: number; lastMs: number } | readonly number[];

/** A kind of work that waits in the database for any process. */
export type QueueKind = {
  /** Its name in notifications, and in the table of the queue. */
  name: string;
  /** Pieces of work that one process does at the same time. */
  concurrency: number;
  /** Milliseconds between two looks of a process that gets no notification. */
  pollMs: number;
  /** Shortest time in milliseconds between two looks when work is due at a certain time. */
  minWaitMs: number;
  /**
   * How long work belongs to the process that has taken it: longer than it can take, or than a process leaves it without a renewal. Then
   * another process may take it. Undefined for work that is done in the transaction that takes it.
   */
  leaseMs?: number;
  /** Undefined for work that is not repeated after an error. */
  backoff?: Backoff;
  /** Attempts after which the work is given up. Undefined for work that has no such limit. */
  maxAttempts?: number;
  /** How long the end of a process waits for work that has begun; until all is done unless given. */
  shutdownMs?: number;
};

/** A kind of work whose rows are in the table of the queue, and are removed when it is done or given up. */
export type ItemKind = QueueKind & {
  leaseMs: number;
  backoff: Backoff;
  /** Milliseconds after which an item is given up. Undefined for items that are repeated until they are done. */
  lifetimeMs?: number;
  /** Removes an item that nobody has tried in its lifetime; otherwise it gets one attempt. */
  dropsExpired: boolean;
  /** Items that may wait at the same time; any number unless given. */
  maxWaiting?: number;
  /** Notifies all processes of new items; otherwise they find them by themselves. */
  isAnnounced: boolean;
  /** The facts about an item that the report of a dry run has for managers: where it would go. */
  summary?(data: unknown): JsonObject;
};

/** Doublings after which any pause has reached its limit. */
const MAX_DOUBLINGS = 20;

/** Milliseconds from a failed attempt, counted from 1, to the next one. */
export function retryDelayMs(backoff: Backoff, attempts: number): number {
  if ('firstMs' in backoff)
    return Math.min(backoff.lastMs, backoff.firstMs * 2 ** Math.min(MAX_DOUBLINGS, attempts - 1));
  return backoff[Math.min(attempts, backoff.length) - 1] ?? 0;
}
