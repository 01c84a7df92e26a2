import { type BackgroundWork, type Kernel, queue } from '#core';
import { Circuits } from '#lib/http/circuit';
import { RequestNotTaken } from '#lib/http/outgoing-request';
import { inTrace, logMark, parseTrace } from '#lib/process/trace';
import { isQueuedMessage, MESSAGES } from './messages.ts';
import { hasFailedLong } from './panel.ts';
import { pauseFailing } from './pause.ts';
import { loadSecrets } from './secrets.ts';
import { sendSigned } from './send.ts';
import { noteAttempt } from './statements/attempts.ts';
import { findWebhook } from './statements/webhooks.ts';

/** The receiver wants no more messages (Standard Webhooks). */
const GONE = 410;

const NOT_SENT = 'The request could not be sent.';

/** Sends the messages of webhooks from this process until it is closed. */
export function startMessages(kernel: Kernel): Promise<BackgroundWork> {
  const { db, log, config, sites } = kernel;
  const circuits = new Circuits();
  return queue.startWorker({
    db,
    log,
    kind: MESSAGES,
    async run({ topic, data, attempts, trace: stored }) {
      const webhook = await findWebhook(db, topic);
      // The webhook was removed, switched off, or paused by another message; the feed still has this message.
      if (!webhook?.enabled || webhook.paused !== null || !isQueuedMessage(data)) return undefined;
      const { message, type, path, body } = data;
      const trace = parseTrace(stored);
      const secrets = await loadSecrets(kernel, topic);
      const circuit = circuits.of(new URL(webhook.url).origin);
      const options = { secrets, circuit, trace, isPrivateAllowed: config.webhookPrivateAddresses };
      const request = { id: message, url: webhook.url, method: 'POST', body };
      const status = await inTrace(trace, () => sendSigned(request, options));
      await noteAttempt(db, topic, { message, type, path, attempt: attempts, status, problem: null });
      return undefined;
    },
    explain(error, { id, topic, attempts, trace }) {
      log.warn({ err: error, webhook: topic, message: id, attempts, ...logMark(parseTrace(trace)) }, 'a webhook waits');
      // All other failures may be temporary, even that of a receiver with another secret.
      return { isFinal: false, message: error instanceof RequestNotTaken ? error.message : NOT_SENT };
    },
    async onFailure({ topic, data, attempts }, { message: problem, waits, error }) {
      if (!isQueuedMessage(data)) return;
      const { message, type, path } = data;
      const status = error instanceof RequestNotTaken ? (error.status ?? null) : null;
      const failing = await noteAttempt(db, topic, { message, type, path, attempt: attempts, status, problem });
      const isLong = hasFailedLong(await sites.current(), failing);
      if (status === GONE || !waits || isLong) await pauseFailing(kernel, topic, { problem, position: data.position });
    },
  });
}
