import type { JsonObject } from '../../lib/json-object.ts';

/** Pauses in milliseconds between attempts: a first pause that is doubled each time up to a last one, or a list of pauses. */
export type Backoff = { firstMs: number; lastMs: number } | readonly number[];

/** A kind of work that waits in the database for any process. */
export type QueueKind = {
  /** Its name in notifications, and in the table of the queue. */
  name: string;
  /** Maximum number of pieces of work that one process does at the same time. */
  concurrency: number;
  /** Milliseconds between two looks of a process that gets no notification. */
  pollMs: number;
  /** Shortest time in milliseconds between two looks when work is due at a certain time. */
  minWaitMs: number;
  /**
   * Milliseconds for which work belongs to the process that has taken it, longer than the work can take, or than the time between renewals.
   * Afterwards another process may take it. Undefined for work that is done in the transaction that takes it.
   */
  leaseMs?: number;
  /** Pauses between attempts; undefined for work that is not repeated after an error. */
  backoff?: Backoff;
  /** Number of attempts after which the work is given up; undefined for no limit. */
  maxAttempts?: number;
  /** Milliseconds that a closing process waits for running work; until all work is done unless given. */
  shutdownMs?: number;
};

/** A kind of work whose rows are in the table of the queue, and are removed when it is done or given up. */
export type ItemKind = QueueKind & {
  leaseMs: number;
  backoff: Backoff;
  /** Milliseconds after which an item is given up. Undefined for items that are repeated until they are done. */
  lifetimeMs?: number;
  /** True to remove an item without any attempt in its lifetime; otherwise it gets one attempt. */
  dropsExpired: boolean;
  /** Maximum number of waiting items; any number unless given. */
  maxWaiting?: number;
  /** True to notify all processes of new items; otherwise workers find them by polling. */
  isAnnounced: boolean;
  /** The facts about an item for Managers in the report of a dry run, such as its receiver. */
  summary?(data: unknown): JsonObject;
};

/** Doublings after which any pause has reached its limit. */
const MAX_DOUBLINGS = 20;

/** Milliseconds from a failed attempt, counted from 1, to the next attempt. */
export function retryDelayMs(backoff: Backoff, attempts: number): number {
  if ('firstMs' in backoff)
    return Math.min(backoff.lastMs, backoff.firstMs * 2 ** Math.min(MAX_DOUBLINGS, attempts - 1));
  return backoff[Math.min(attempts, backoff.length) - 1] ?? 0;
}
