import type { Transaction } from '../../database/database.ts';
import { sharingTransaction } from '../../database/shared-transaction.ts';
import { ServiceUnavailable } from '../../lib/errors.ts';
import type { Slots } from '../../lib/slots.ts';
import type { RequestContext } from '../services/service.ts';

/** Milliseconds that a request may hold its transaction: nobody else can write with the embedded database meanwhile. */
const MAX_HELD_MS = 5 * 60_000;

/** The context of a request whose work is a part of `tx` as a whole. An `observer` sees what happens in it. */
export function contextWithin(context: RequestContext, tx: Transaction, observer?: Slots): RequestContext {
  const db = sharingTransaction(context.kernel.db, tx, observer);
  return {
    ...context,
    db,
    kernel: { ...context.kernel, db, sites: context.kernel.sites.sharing(db) },
    auth: { ...context.auth, db },
  };
}

/** Runs work for a limited time. What it does later fails, as its transaction is over by then. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new ServiceUnavailable('This took too long to be done in one transaction: nothing was done.', 60);
    timer = setTimeout(() => reject(error), MAX_HELD_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Does the work of a request in one transaction, with everything that it reads and writes; in another attempt it is done anew. */
export const inOneTransaction = <T>(
  context: RequestContext,
  work: (shared: RequestContext, tx: Transaction) => Promise<T>,
): Promise<T> => context.kernel.db.transaction((tx) => inTime(work(contextWithin(context, tx), tx)));
