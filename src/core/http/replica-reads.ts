import type { Database } from '../../database/database.ts';
import { type Replicas, readingFrom } from '../../database/replicas.ts';
import { ClientError } from '../../lib/errors.ts';
import type { ChangeFeed } from '../cache/change-feed.ts';
import type { ServiceResponse } from '../services/response.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';
import type { RequestLayer } from './request-layers.ts';
import { header, isReading } from './wire-request.ts';

/** The databases where a request may read, and the change feed that decides between them. */
export type ReadPlaces = { db: Database; replicas: Replicas; changes: ChangeFeed; services: ServiceRegistry };

/** The outcome of the work for a request: a response, or an error of the client. */
type Outcome<T> = { value: T } | { error: ClientError };

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (error instanceof ClientError) return { error };
    throw error;
  }
}

/**
 * Does the work of a request on a replica if the response is the same as on the primary at the time of the request, else on the primary. Only
 * `cacheable` services use replicas: the numbers of changes cover everything that their responses are made of. The work may be done twice
 * (docs/decisions/0015-read-replicas.md).
 */
export const onReplicas =
  ({ db, replicas, changes, services }: ReadPlaces): RequestLayer =>
  (perform) =>
  async (work) => {
    const { request, address } = work;
    // Wrong passwords are counted, so a password must not be checked twice.
    const hasPassword = /^basic\b/i.test(header(request, 'authorization') ?? '');
    if (!isReading(request) || hasPassword || !services.isCacheable('GET', address.service)) return perform(work);
    const replica = await replicas.find(await changes.snapshot());
    if (!replica) return perform(work);
    let made: ServiceResponse | undefined;
    try {
      const source = readingFrom(db, replica);
      const outcome = await outcomeOf(() => perform({ ...work, source, db: source }));
      if ('value' in outcome) made = outcome.value;
      if (await replica.confirm()) {
        if ('error' in outcome) throw outcome.error;
        made = undefined;
        return outcome.value;
      }
    } catch (error) {
      if (error instanceof ClientError || request.end().signal.aborted) throw error;
      // After any failure, such as a lost replica, the primary decides.
      replica.failed();
    } finally {
      // It is not sent.
      made?.stream?.destroy();
    }
    return perform(work);
  };
