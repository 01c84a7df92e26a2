import { type BackgroundWork, type Kernel, outsideCaches, queue } from '#core';
import { type Circuit, Circuits } from '#lib/http/circuit';
import { type OutgoingRequest, RequestNotTaken, sendRequest } from '#lib/http/outgoing-request';
import { inTrace, logMark, parseTrace, type Trace } from '#lib/process/trace';
import { collectPurges } from './collect.ts';
import { type PurgeTarget, purgeTarget } from './panel.ts';
import { purgeRequests } from './purge-requests.ts';
import { isQueuedPurge, PURGES } from './purges.ts';
import { wakeAfterChanges } from './subscribe.ts';
import { loadToken } from './token.ts';

/** Milliseconds within which the requests of one purge begin; with one more request that waits for its end, less than the lease. */
const SENDING_MS = 8000;
/** Requests of one purge that are sent at the same time. */
const CONCURRENT_REQUESTS = 8;
/**
 * Milliseconds from the first to the second time that a cache gets a purge: a response that was made just before the change may arrive there after
 * the first. Caches do not store responses that took longer than MAX_MAKING_MS; the rest of the time is for the transfer.
 */
const REPEAT_MS = outsideCaches.MAX_MAKING_MS + 2000;

/** Sends requests, some at a time. Throws the error of the first request that fails. */
async function sendAll(
  { config }: Kernel,
  requests: OutgoingRequest[],
  { takes, circuit, trace }: { takes: readonly number[]; circuit: Circuit; trace: Trace | undefined },
): Promise<void> {
  const ends = Date.now() + SENDING_MS;
  const waiting = requests.values();
  const sendNext = async (): Promise<void> => {
    for (const request of waiting) {
      if (Date.now() > ends) throw new RequestNotTaken('The cache takes too long.', false);
      const options = { isPrivateAllowed: config.webhookPrivateAddresses, takes, circuit };
      await sendRequest({ ...request, trace }, options);
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENT_REQUESTS, requests.length) }, sendNext));
}

/** The caches of the site; undefined, and no SQL, on sites without any. */
async function presentTarget({ sites }: Kernel): Promise<PurgeTarget | undefined> {
  return sites.last && purgeTarget(sites.last) ? purgeTarget(await sites.current()) : undefined;
}

/** Sends purges to caches from this process until it is closed. */
export async function startPurges(kernel: Kernel): Promise<BackgroundWork> {
  const { db, log } = kernel;
  const circuits = new Circuits();
  let target: PurgeTarget | undefined;
  const worker = await queue.startWorker({
    db,
    log,
    kind: PURGES,
    async prepare() {
      target = await presentTarget(kernel);
      if (target) await collectPurges(kernel, target);
      return { isReady: target !== undefined };
    },
    async run({ topic: proxy, data, trace: stored }) {
      // The site may have removed the cache, or another version of the program may have made the purge.
      const present = target;
      if (!present?.proxies.includes(proxy) || !isQueuedPurge(data)) return undefined;
      const { method } = present;
      const token = method === 'paths' ? undefined : await loadToken(kernel);
      // A cache responds 404 when it has nothing at an address.
      const takes = method === 'paths' ? [404] : [];
      const trace = parseTrace(stored);
      const requests = purgeRequests(proxy, data, present, token);
      await inTrace(trace, () => sendAll(kernel, requests, { takes, circuit: circuits.of(proxy), trace }));
      return data.round === 1 ? { delayMs: REPEAT_MS, data: { ...data, round: 2 } } : undefined;
    },
    explain(error, { topic, attempts, trace }) {
      log.warn(
        { err: error, cache: topic, attempts, ...logMark(parseTrace(trace)) },
        'a cache could not be told of a change',
      );
      const message = error instanceof RequestNotTaken ? error.message : 'The request could not be sent.';
      return { isFinal: false, message };
    },
  });
  wakeAfterChanges(kernel, worker);
  return worker;
}
