import { type BackgroundWork, type Kernel, MAX_MAKING_MS } from '#core';
import { type Circuit, Circuits } from '#lib/http/circuit';
import { type OutgoingRequest, RequestNotTaken, sendRequest } from '#lib/http/outgoing-request';
import { RunningWork } from '#lib/process/running-work';
import { startWakeLoop, type WakeLoop } from '#lib/process/wake-loop';
import { Slot } from '#lib/slots';
import { collectPurges } from './collect.ts';
import { type PurgeTarget, purgeTarget } from './panel.ts';
import { purgeRequests } from './purge-requests.ts';
import { postponePurge, removePurge, repeatPurge, type TakenPurge, takePurge, untilNextPurge } from './statements.ts';
import { loadToken } from './token.ts';

/** How often a process looks that nobody has woken: for changes that no event tells, and for those of a process that has ended. */
const INTERVAL_MS = 5000;
/** Seconds for which a process keeps a purge: what one that was killed has taken, another one sends after this time. */
const LEASE_SECONDS = 20;
/** Milliseconds for the requests of one purge; less than the lease with one request that waits for its end. */
const SENDING_MS = 8000;
/** Purges, and requests of one purge, that are sent at the same time. */
const CONCURRENT = 4;
const CONCURRENT_REQUESTS = 8;
/**
 * Seconds from the first to the second time that a cache is told: a response that was made just before the change may arrive
 * there after the first. Those that took longer than MAX_MAKING_MS are not for caches; the rest is for their way.
 */
const REPEAT_SECONDS = MAX_MAKING_MS / 1000 + 2;
const LAST_RETRY_SECONDS = 60;
const MIN_WAIT_MS = 20;

/** Seconds until the next attempt: one, doubled each time up to a minute. */
const retrySeconds = (attempts: number): number => Math.min(LAST_RETRY_SECONDS, 2 ** Math.min(10, attempts - 1));

/** Tells the worker of a process that something has changed. */
export class PurgeWaker {
  #loop: WakeLoop | undefined;

  set loop(loop: WakeLoop) {
    this.#loop = loop;
  }

  wake(): void {
    this.#loop?.wake();
  }
}

export const PURGE_WAKER = new Slot<PurgeWaker>('waker of cache purges');

/** Sends requests, some at a time. Throws what the first of them fails with. */
async function sendAll(
  { config }: Kernel,
  requests: OutgoingRequest[],
  { takes, circuit }: { takes: readonly number[]; circuit: Circuit },
): Promise<void> {
  const ends = Date.now() + SENDING_MS;
  const waiting = requests.values();
  const sendNext = async (): Promise<void> => {
    for (const request of waiting) {
      if (Date.now() > ends) throw new RequestNotTaken('The cache takes too long.', false);
      await sendRequest(request, { isPrivateAllowed: config.webhookPrivateAddresses, takes, follows: false, circuit });
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_REQUESTS, requests.length) }, sendNext));
}

/** Tells a cache what to forget. */
async function send(
  kernel: Kernel,
  { target, circuits }: { target: PurgeTarget; circuits: Circuits },
  taken: TakenPurge,
): Promise<void> {
  const { id, proxy, round, attempts } = taken;
  const { db } = kernel;
  if (!target.proxies.includes(proxy)) return removePurge(db, id);
  try {
    const token = target.method === 'paths' ? undefined : await loadToken(kernel);
    // A cache that has nothing at an address says so with 404.
    const takes = target.method === 'paths' ? [404] : [];
    await sendAll(kernel, purgeRequests(proxy, taken, target, token), { takes, circuit: circuits.of(proxy) });
  } catch (error) {
    kernel.log.warn({ err: error, cache: proxy, attempts }, 'a cache could not be told of a change');
    const message = error instanceof RequestNotTaken ? error.message : 'The request could not be sent.';
    return postponePurge(db, id, retrySeconds(attempts), message);
  }
  return round === 1 ? repeatPurge(db, id, REPEAT_SECONDS) : removePurge(db, id);
}

/** Where changes are told to; undefined, and no SQL, on sites that tell nobody. */
async function presentTarget({ sites }: Kernel): Promise<PurgeTarget | undefined> {
  return sites.last && purgeTarget(sites.last) ? purgeTarget(await sites.current()) : undefined;
}

/** Tells caches of changes from this process until it is closed. Any number of processes may do so. */
export async function startPurges(kernel: Kernel): Promise<BackgroundWork> {
  const { db, log } = kernel;
  const circuits = new Circuits();
  const running = new RunningWork({
    atMost: CONCURRENT,
    onError: (error) => log.error({ err: error }, 'a purge of a cache could not be stored'),
    onEnd: () => loop.wake(),
  });
  const loop = startWakeLoop({
    intervalMs: INTERVAL_MS,
    onError: (error) => log.error({ err: error }, 'looking for what caches are to be told failed'),
    async look() {
      const target = await presentTarget(kernel);
      if (!target) return undefined;
      await collectPurges(kernel, target);
      while (!loop.isClosed() && running.hasRoom) {
        const taken = await takePurge(db, LEASE_SECONDS);
        if (!taken) {
          const wait = await untilNextPurge(db);
          return wait === undefined ? undefined : Math.max(MIN_WAIT_MS, wait);
        }
        running.add(send(kernel, { target, circuits }, taken));
      }
      return undefined;
    },
  });
  kernel.slots.get(PURGE_WAKER).loop = loop;
  // What another process has left behind.
  loop.wake();
  return {
    async close() {
      await loop.close();
      await running.ended();
    },
  };
}
