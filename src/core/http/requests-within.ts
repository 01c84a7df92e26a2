import { Readable } from 'node:stream';
import type { Transaction } from '../../database/database.ts';
import { Trace } from '../../lib/process/trace.ts';
import { Slot } from '../../lib/slots.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AuthContext } from '../people/login.ts';
import type { RequestsWithin } from '../services/requests-within.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import { inTime, kernelForRequests, MAX_SHARED_MS } from './one-transaction.ts';
import { performPart } from './perform-part.ts';
import { requestAddress } from './request-address.ts';
import type { PartInWork } from './request-layers.ts';
import { limitStatements } from './statements/statement-limit.ts';

/** The means of requests that the server sends to itself. The server sets them before features begin their work. */
export const REQUEST_MEANS = new Slot<{ auth: AuthContext; services: ServiceRegistry }>('means of requests');

/** The request that the server's own requests are parts of: nobody has sent it, and nobody waits for its response. */
function ownRequest({ config }: Kernel, base: string): PartInWork {
  const { protocol, host } = new URL(base);
  const scheme = protocol.slice(0, -1);
  const end = new AbortController();
  const request: PartInWork['request'] = {
    ...{ method: 'POST', target: '/', scheme, host, headers: {}, body: Readable.from([]) },
    ...{ clientAddress: '', fromTrustedProxy: false, trace: new Trace('') },
    end: () => ({ signal: end.signal }),
  };
  const address = requestAddress('/', { scheme, host, publicUrl: config.publicUrl, trusted: false });
  return { request, address, cached: { bypass: () => undefined, useWholeTarget: () => undefined } };
}

/** Sends requests to the site as parts of the transaction of a kernel that is within one. `work` is the request that they belong to. */
export function requestsWithin(
  work: PartInWork,
  { kernel, auth, services }: { kernel: Kernel; auth: AuthContext; services: ServiceRegistry },
): RequestsWithin {
  return {
    kernel,
    base: work.address.base,
    using: (other) => requestsWithin(work, { kernel: other, auth, services }),
    perform: (authentication, part, checks) =>
      performPart(work, { kernel, auth: { ...auth, db: kernel.db }, services, authentication }, part, checks),
  };
}

/**
 * Does work that sends requests to the site in the transaction `tx`, for a limited time. No client has asked for it: `base` is the address of
 * the site that references in the requests have. Throws what the work throws; the transaction must not be committed then.
 */
export async function doInBackground<T>(
  kernel: Kernel,
  tx: Transaction,
  { base, work }: { base: string; work: (requests: RequestsWithin) => Promise<T> },
): Promise<T> {
  const { auth, services } = kernel.slots.get(REQUEST_MEANS);
  await limitStatements(kernel.db, tx, MAX_SHARED_MS);
  const within = kernelForRequests(kernel, tx);
  return inTime(work(requestsWithin(ownRequest(kernel, base), { kernel: within, auth, services })), MAX_SHARED_MS);
}
