import { Circuit, Circuits } from '../../../lib/http/circuit.ts';
import { startWakeLoop } from '../../../lib/process/wake-loop.ts';
import type { Mail } from './mail.ts';
import type { MailHost } from './mail-host.ts';
import { type Delivery, MailNotSent, sendMail } from './send-mail.ts';

/** An entry of the outbox that this process has taken: no other one takes it before the lease ends. */
export type OutboxEntry = { id: number; kind: string; data: unknown; attempts: number };

/** Where the entries are kept. */
export type Outbox = {
  /** Removes entries that nobody could send in time. */
  expire(now: Date): Promise<void>;
  /** Takes the next entry that is due and leases it until the given time; undefined when there is none. */
  take(now: Date, leasedUntil: Date): Promise<OutboxEntry | undefined>;
  /** Removes an entry that is done, whether it was sent or not. */
  remove(id: number): Promise<void>;
  /** Makes an entry due again at a later time. */
  postpone(id: number, due: Date): Promise<void>;
};

/** Makes the mail of an entry at the moment it is sent; null when there is nothing to send. */
export type ComposeMail = (entry: OutboxEntry) => Promise<Mail | null>;

export type OutboxWorkerOptions = Delivery & {
  outbox: Outbox;
  /** The mail server at the moment; without one the entries wait until they expire. */
  mailHost: () => Promise<MailHost | undefined>;
  compose: ComposeMail;
};

/** Longer than one mail can take: after it another process may try. */
const LEASE = 5 * 60_000;
const FIRST_RETRY = 30_000;
const LAST_RETRY = 60 * 60_000;
/** How often an outbox is looked into that nobody has written to. */
const INTERVAL = 30_000;

/** Milliseconds until the next attempt: half a minute, doubled each time up to an hour. */
export const retryDelay = (attempts: number): number =>
  Math.min(LAST_RETRY, FIRST_RETRY * 2 ** Math.min(20, attempts - 1));

/** Sends what is in the outbox, one mail after another. */
export type OutboxWorker = {
  /** Looks into the outbox now; for whoever has heard that something was put there. */
  wake(): void;
  /** Takes no more entries; resolves when the one under way is done. */
  close(): Promise<void>;
};

/** Starts to send. Any number of processes may: each entry is taken by one of them at a time. */
export function startOutboxWorker({ outbox, mailHost, compose, log, openBlob }: OutboxWorkerOptions): OutboxWorker {
  const circuits = new Circuits();
  /** The server that was used last, as far as it is known to fail. */
  let circuit = new Circuit();

  /** Handles one entry. Returns whether there was one, and the server can be asked for more. */
  async function next(): Promise<boolean> {
    const host = await mailHost();
    if (!host) return false;
    circuit = circuits.of(`${host.host}:${host.port}`);
    // Each mail would wait for a server that says nothing, and none of them would come any nearer.
    if (circuit.rests) return false;
    const now = Date.now();
    const entry = await outbox.take(new Date(now), new Date(now + LEASE));
    if (!entry) return false;
    try {
      const mail = await compose(entry);
      if (mail) await sendNoted(host, mail);
      await outbox.remove(entry.id);
    } catch (error) {
      const lost = error instanceof MailNotSent && error.permanent;
      log.error(
        { err: error, mail: entry.id, kind: entry.kind, attempts: entry.attempts },
        lost ? 'a mail was refused' : 'a mail waits',
      );
      if (lost) await outbox.remove(entry.id);
      else await outbox.postpone(entry.id, new Date(Date.now() + retryDelay(entry.attempts)));
    }
    return true;
  }

  /** Sends a mail, and remembers how the server did. */
  async function sendNoted(host: MailHost, mail: Mail): Promise<void> {
    const attempt = circuit.begin();
    if ('retryAfter' in attempt) throw new Error('The mail server has not answered a moment ago');
    try {
      await sendMail(host, mail, { log, openBlob });
      circuit.worked(attempt);
    } catch (error) {
      if (!(error instanceof MailNotSent)) circuit.abandoned(attempt);
      else if (error.failure) circuit.failed(attempt, error.failure);
      else circuit.worked(attempt);
      throw error;
    }
  }

  const loop = startWakeLoop({
    intervalMs: INTERVAL,
    onError: (error) => log.error({ err: error }, 'reading the outbox failed'),
    async look() {
      await outbox.expire(new Date());
      while (!loop.isClosed() && (await next()));
      return circuit.rests ? circuit.retryAfter * 1000 : undefined;
    },
  });
  return { wake: loop.wake, close: loop.close };
}
