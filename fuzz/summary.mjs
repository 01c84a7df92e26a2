import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** The number of characters of a response that a problem shows. */
const SHOWN = 400;

const textOf = ({ $base64 = '' } = {}) => Buffer.from($base64, 'base64').toString().slice(0, SHOWN);

/**
 * The summary of a report of schemathesis (NDJSON, an event in each line): the number of requests, the number by status, and as
 * failures the responses of 500 and above and the errors that kept schemathesis from sending a case.
 */
export async function summaryOf(report) {
  const statuses = {};
  const failures = [];
  let requests = 0;
  for await (const line of createInterface({ input: createReadStream(report) })) {
    const event = JSON.parse(line);
    for (const error of [event.NonFatalError, event.FatalError])
      if (error)
        failures.push(`Not sent: ${error.label ?? ''} ${JSON.stringify(error.value ?? error)}`.slice(0, SHOWN));
    for (const { request, response } of Object.values(event.ScenarioFinished?.recorder.interactions ?? {})) {
      requests += 1;
      const status = response?.status_code ?? 'no answer';
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!response || status >= 500) {
        const body = request.body ? ` with ${textOf(request.body)}` : '';
        failures.push(`${status} for ${request.method} ${request.uri}${body}: ${textOf(response?.content)}`);
      }
    }
  }
  return { requests, statuses, failures };
}
