import type { Database } from '../../../database/database.ts';
import { type Circuit, Circuits } from '../../../lib/http/circuit.ts';
import { logMark, parseTrace } from '../../../lib/process/trace.ts';
import { startItemWorker } from '../item-worker.ts';
import type { QueueWorker } from '../queue-worker.ts';
import type { QueueItem } from '../statements/items.ts';
import type { Mail } from './mail.ts';
import type { MailHost } from './mail-host.ts';
import { MAILS } from './queue-mail.ts';
import { type Delivery, MailNotSent, sendMail } from './send-mail.ts';

/** Makes the mail of an item at the moment it is sent; null when there is nothing to send. */
export type ComposeMail = (item: QueueItem) => Promise<Mail | null>;

export type MailWorkerOptions = Delivery & {
  db: Database;
  /** Mails of this process since its start, for monitoring. */
  counts?: MailCounts;
  /** The mail server at the moment; without one the mails wait until they expire. */
  mailHost: () => Promise<MailHost | undefined>;
  compose: ComposeMail;
};

/** Mails that were sent, and attempts that failed. */
export type MailCounts = { sent: number; failures: number };

/** Sends a mail by a function, and notes how the server did. */
async function sendNoted(circuit: Circuit, send: () => Promise<void>): Promise<void> {
  const attempt = circuit.begin();
  if ('retryAfter' in attempt) throw new Error('The mail server has not answered a moment ago');
  try {
    await send();
    circuit.worked(attempt);
  } catch (error) {
    if (!(error instanceof MailNotSent)) circuit.abandoned(attempt);
    else if (error.failure) circuit.failed(attempt, error.failure);
    else circuit.worked(attempt);
    throw error;
  }
}

/** Starts to send the mails that wait, one after another. */
export function startMailWorker({
  db,
  counts = { sent: 0, failures: 0 },
  mailHost,
  compose,
  log,
  openBlob,
}: MailWorkerOptions): Promise<QueueWorker> {
  const circuits = new Circuits();
  /** The server of the moment, with what is known of its failures. */
  let server: { host: MailHost; circuit: Circuit } | undefined;
  return startItemWorker({
    db,
    log,
    kind: MAILS,
    async prepare() {
      const host = await mailHost();
      server = host && { host, circuit: circuits.of(`${host.host}:${host.port}`) };
      // Each mail would wait for a server that says nothing, and none of them would come any nearer.
      if (server?.circuit.rests) return { isReady: false, againMs: server.circuit.retryAfter * 1000 };
      return { isReady: server !== undefined };
    },
    async run(item) {
      const present = server;
      const mail = await compose(item);
      if (!mail) return undefined;
      if (!present) throw new Error('There is no mail server.');
      const marked = log.child(logMark(parseTrace(item.trace)));
      await sendNoted(present.circuit, () => sendMail(present.host, mail, { log: marked, openBlob }));
      counts.sent += 1;
      return undefined;
    },
    explain(error, { id, topic, attempts, trace }) {
      counts.failures += 1;
      const isFinal = error instanceof MailNotSent && error.permanent;
      log.error(
        { err: error, mail: id, kind: topic, attempts, ...logMark(parseTrace(trace)) },
        isFinal ? 'a mail was refused' : 'a mail waits',
      );
      return { isFinal, message: error instanceof Error ? error.message : String(error) };
    },
  });
}
