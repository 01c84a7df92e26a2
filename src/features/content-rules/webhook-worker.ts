import { type BackgroundWork, type Kernel, queue } from '#core';
import { Circuits } from '#lib/http/circuit';
import { RequestNotTaken } from '#lib/http/outgoing-request';
import { isJsonObject } from '#lib/json-object';
import { inTrace, logMark, parseTrace } from '#lib/process/trace';
import { loadSecrets, RULES } from '../webhooks/secrets.ts';
import { sendSigned } from '../webhooks/send.ts';
import { insertFailures } from './statements/failures.ts';
import { isQueuedWebhook, WEBHOOKS } from './webhook-request.ts';

/** The path of the content that a request is about. */
const pathOf = (data: unknown): string => (isJsonObject(data) && typeof data.path === 'string' ? data.path : '');

/** Sends the requests of rules from this process until it is closed. */
export function startWebhooks(kernel: Kernel): Promise<BackgroundWork> {
  const { db, log, config } = kernel;
  const circuits = new Circuits();
  return queue.startWorker({
    db,
    log,
    kind: WEBHOOKS,
    async run({ data, trace: stored }) {
      if (!isQueuedWebhook(data)) throw new RequestNotTaken('The stored request is none.', true);
      const { key, request } = data;
      const circuit = circuits.of(new URL(request.url).origin);
      const trace = parseTrace(stored);
      const secrets = await loadSecrets(kernel, RULES);
      const options = { secrets, circuit, trace, isPrivateAllowed: config.webhookPrivateAddresses };
      await inTrace(trace, () => sendSigned({ id: key, ...request }, options));
      return undefined;
    },
    explain(error, { id, topic, attempts, trace }) {
      const isFinal = error instanceof RequestNotTaken && error.permanent;
      const message = isFinal ? 'a webhook was refused' : 'a webhook waits';
      log.warn({ err: error, rule: topic, webhook: id, attempts, ...logMark(parseTrace(trace)) }, message);
      return { isFinal, message: error instanceof RequestNotTaken ? error.message : 'The request could not be sent.' };
    },
    async onFailure({ topic, data, attempts }, { message, waits }) {
      // Only the first and the last failed attempt are reported, because each one would fill the list of the rule.
      if (attempts > 1 && waits) return;
      const report = waits ? `${message} It is tried again.` : message;
      await insertFailures(db, [{ rule: topic, path: pathOf(data), at: new Date(), message: report }]);
    },
  });
}
