import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transaction } from '../../database/database.ts';
import { ServiceUnavailable } from '../../lib/errors.ts';
import type { Slots } from '../../lib/slots.ts';
import { MINUTE_MS } from '../../lib/time/milliseconds.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { kernelWithin } from '../kernel/kernel-within.ts';
import type { RequestContext } from '../services/service.ts';
import { limitStatements } from './statements/statement-limit.ts';

/**
 * Milliseconds that a write with a key may hold its transaction: as long as the largest writes take. With the embedded database, no other request can
 * write meanwhile.
 */
export const MAX_HELD_MS = 5 * MINUTE_MS;
/** Milliseconds that several requests in one transaction, or a dry run, may hold their transaction. */
export const MAX_SHARED_MS = 60_000;

/** Milliseconds of work after which a request lets others go on. */
const SLICE_MS = 15;

/**
 * Lets other requests go on from time to time. The embedded database responds in the same tick, so that many statements in a row would stop all
 * requests of the process, and the timer that ends requests.
 */
function givingWay(): () => Promise<void> {
  let ends = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() < ends) return;
    await nextTurn();
    ends = performance.now() + SLICE_MS;
  };
}

/** The kernel for the work of requests that is a part of `tx`, which lets other requests go on. An `observer` sees the events of this work. */
export const kernelForRequests = (kernel: Kernel, tx: Transaction, observer?: Slots) =>
  kernelWithin(kernel, tx, { observer, giveWay: givingWay() });

/** The context of a request whose whole work is a part of `tx`. An `observer` sees the events of this work. */
export function contextWithin(context: RequestContext, tx: Transaction, observer?: Slots): RequestContext {
  const kernel = kernelForRequests(context.kernel, tx, observer);
  const { db } = kernel;
  return { ...context, db, kernel, auth: { ...context.auth, db } };
}

/** Runs work for a limited time. Later statements of the work fail, because its transaction is over by then. */
export async function inTime<T>(work: Promise<T>, maxMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new ServiceUnavailable('This took too long to be done in one transaction: nothing was done.', 60);
    timer = setTimeout(() => reject(error), maxMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does the whole work of a request in one transaction of at most `maxMs` milliseconds. When the transaction is tried again, the work is done anew.
 */
export const inOneTransaction = <T>(
  context: RequestContext,
  maxMs: number,
  work: (shared: RequestContext, tx: Transaction) => Promise<T>,
): Promise<T> =>
  context.kernel.db.transaction(async (tx) => {
    await limitStatements(context.kernel.db, tx, maxMs);
    return inTime(work(contextWithin(context, tx), tx), maxMs);
  });
