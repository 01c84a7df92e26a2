import { Readable } from 'node:stream';
import { contentDisposition } from '../../lib/http/http-headers.ts';
import { OutsideFailure } from '../../lib/http/outside-service.ts';
import type { Log } from '../../lib/process/process.ts';

type Open = () => Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>;

/** Runs one step of the source and logs its failures. A client disconnect is not logged. */
async function step<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The outage itself is in the log already; each broken response gets a line.
    if (error instanceof OutsideFailure) log.warn({ cause: error.message }, 'a response broke off while it was sent');
    else log.error({ err: error }, 'a response broke off while it was sent');
    throw error;
  }
}

async function* chunks(log: Log, open: Open): AsyncGenerator<unknown> {
  const iterator = (await step(log, async () => open()))[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await step(log, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * The body of a response that is made while it is sent. `open` is called when the first bytes are read, so never for a stream that is destroyed
 * unread. By then the status is already sent: a failure can only cut the connection, and its cause goes to the log.
 */
export function loggedStream(log: Log, open: Open): Readable {
  return Readable.from(chunks(log, open), { objectMode: false });
}

/** The response with a table that is made while it is sent; browsers store it as `filename`. */
export const csvResponse = (log: Log, filename: string, open: Open) => ({
  status: 200 as const,
  headers: { 'Content-Disposition': contentDisposition('attachment', filename) },
  contentType: 'text/csv; charset=utf-8',
  stream: loggedStream(log, open),
});
