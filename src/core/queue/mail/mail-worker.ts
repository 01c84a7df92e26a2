import type { Database } from '../../../database/database.ts';
import { messageOf } from '../../../lib/errors.ts';
import { type Circuit, Circuits } from '../../../lib/http/circuit.ts';
import { logMark, parseTrace } from '../../../lib/process/trace.ts';
import { startItemWorker } from '../item-worker.ts';
import type { QueueWorker } from '../queue-worker.ts';
import type { QueueItem } from '../statements/items.ts';
import { isMail, type Mail } from './mail.ts';
import type { MailHost } from './mail-host.ts';
import { MAILS, WHOLE_MAIL } from './queue-mail.ts';
import { type Delivery, MailNotSent, sendMail } from './send-mail.ts';

/** A kind of mails: makes the mail of an item when it is sent; null for no mail. */
type ComposedMail = { kind: string; compose(item: QueueItem): Promise<Mail | null> };

export type MailWorkerOptions = Delivery & {
  db: Database;
  /** Mails of this process since its start, for monitoring. */
  counts?: MailCounts;
  /** The present mail server; without a server the mails wait until they expire. */
  mailHost: () => Promise<MailHost | undefined>;
  /** The kinds of mails beside whole mails. */
  kinds: readonly ComposedMail[];
};

/** Mails that were sent, and attempts that failed. */
export type MailCounts = { sent: number; failures: number };

/** Sends a mail by a function, and notes the success or failure of the server. */
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

/** The kind of mails that were whole when they were queued. */
const wholeMail: ComposedMail = {
  kind: WHOLE_MAIL,
  async compose({ data }) {
    if (!isMail(data)) throw new Error('The queue holds a mail that is none');
    return data;
  },
};

/** Composes the mails of the queue, each by its kind. Throws when two kinds have one name: a mistake of a programmer. */
function composer(kinds: readonly ComposedMail[]): ComposedMail['compose'] {
  const byName = new Map<string, ComposedMail>();
  for (const mail of [wholeMail, ...kinds]) {
    if (byName.has(mail.kind)) throw new Error(`There are two kinds of mails ${mail.kind}`);
    byName.set(mail.kind, mail);
  }
  return async (item) => {
    const mail = byName.get(item.topic);
    if (!mail) throw new Error(`Unknown kind of mail: ${item.topic}`);
    return mail.compose(item);
  };
}

/** Starts to send the waiting mails, one after another. */
export async function startMailWorker({
  db,
  counts = { sent: 0, failures: 0 },
  mailHost,
  kinds,
  log,
  openBlob,
}: MailWorkerOptions): Promise<QueueWorker> {
  const compose = composer(kinds);
  const circuits = new Circuits();
  /** The present mail server, with its recorded failures. */
  let server: { host: MailHost; circuit: Circuit } | undefined;
  return startItemWorker({
    db,
    log,
    kind: MAILS,
    async prepare() {
      const host = await mailHost();
      server = host && { host, circuit: circuits.of(`${host.host}:${host.port}`) };
      // Otherwise each mail would wait for a server that does not respond.
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
      return { isFinal, message: messageOf(error) };
    },
  });
}
