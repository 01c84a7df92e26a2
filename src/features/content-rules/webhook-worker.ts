import type { BackgroundWork, Kernel, Queryable } from '#core';
import { Circuits } from '#lib/http/circuit';
import { RequestNotTaken } from '#lib/http/outgoing-request';
import { RunningWork } from '#lib/process/running-work';
import { startWakeLoop } from '#lib/process/wake-loop';
import { insertFailures } from './statements/failures.ts';
import {
  findNextWebhook,
  postponeWebhook,
  removeWebhook,
  takeWebhook,
  type WaitingWebhook,
  WEBHOOK_CHANNEL,
} from './statements/webhooks.ts';
import { isWebhookRequest, sendWebhook } from './webhook-request.ts';

/** Longer than one request can take: after it another process may try. */
const LEASE_MS = 60_000;
const FIRST_RETRY_MS = 10_000;
const LAST_RETRY_MS = 60 * 60_000;
/** How often a process looks that nobody has woken. */
const INTERVAL_MS = 30_000;
/** The least time between two looks that nobody asked for, when a request is due by the clock of another server only. */
const MIN_WAIT_MS = 100;
/** Requests that one process sends at the same time: a slow system does not hold up the others. */
const CONCURRENT = 4;

/** Milliseconds until the next attempt: ten seconds, doubled each time up to an hour. */
const retryDelay = (attempts: number): number =>
  Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, attempts - 1));

async function tellRule(kernel: Kernel, { rule, path }: WaitingWebhook, message: string): Promise<void> {
  await insertFailures(kernel.db, [{ rule, path, at: new Date(), message }]);
}

/** Sends one request that this process has taken. */
async function send(kernel: Kernel, circuits: Circuits, taken: WaitingWebhook): Promise<void> {
  const { id, key, rule, request, attempts } = taken;
  try {
    if (!isWebhookRequest(request)) throw new RequestNotTaken('The stored request is none.', true);
    await sendWebhook(request, {
      key,
      circuit: circuits.of(new URL(request.url).origin),
      isPrivateAllowed: kernel.config.webhookPrivateAddresses,
    });
    await removeWebhook(kernel.db, id);
  } catch (error) {
    const isLost = error instanceof RequestNotTaken && error.permanent;
    kernel.log.warn({ err: error, rule, webhook: id, attempts }, isLost ? 'a webhook was refused' : 'a webhook waits');
    if (isLost) await removeWebhook(kernel.db, id);
    const waits = !isLost && (await postponeWebhook(kernel.db, id, new Date(Date.now() + retryDelay(attempts))));
    const message = error instanceof RequestNotTaken ? error.message : 'The request could not be sent.';
    // Only the first and the last failed attempt are reported, because each one would fill the list of the rule.
    if (attempts === 1 || !waits) await tellRule(kernel, taken, waits ? `${message} It is tried again.` : message);
  }
}

/** Milliseconds until the next request is due, at least MIN_WAIT_MS; undefined when none waits. */
async function untilNext(db: Queryable): Promise<number | undefined> {
  const due = await findNextWebhook(db);
  return due && Math.max(MIN_WAIT_MS, due.getTime() - Date.now());
}

/** Sends the requests of rules from this process until it is closed. Any number of processes may do so. */
export async function startWebhooks(kernel: Kernel): Promise<BackgroundWork> {
  const { db, log } = kernel;
  const circuits = new Circuits();
  const running = new RunningWork({
    atMost: CONCURRENT,
    onError: (error) => log.error({ err: error }, 'a webhook could not be stored'),
    onEnd: () => loop.wake(),
  });
  const loop = startWakeLoop({
    intervalMs: INTERVAL_MS,
    onError: (error) => log.error({ err: error }, 'loading webhooks failed'),
    async look() {
      while (!loop.isClosed() && running.hasRoom) {
        const now = Date.now();
        const taken = await takeWebhook(db, new Date(now), new Date(now + LEASE_MS));
        if (!taken) return untilNext(db);
        running.add(send(kernel, circuits, taken));
      }
      return undefined;
    },
  });
  const stop = await db.listen(WEBHOOK_CHANNEL, loop.wake);
  // What another process has left behind.
  loop.wake();
  return {
    async close() {
      await stop();
      await loop.close();
      await running.ended();
    },
  };
}
