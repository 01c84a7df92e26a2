import type { Queryable } from '../../../database/database.ts';
import { isJsonObject } from '../../../lib/json-object.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../lib/time/milliseconds.ts';
import type { ItemKind } from '../queue-kind.ts';
import { enqueue } from '../statements/items.ts';
import type { Mail } from './mail.ts';

/** Mails to be sent. The topic of an item decides how its mail is made, see `MailKind`. */
export const MAILS: ItemKind = {
  name: 'mail',
  concurrency: 1,
  pollMs: 30_000,
  minWaitMs: 100,
  // Longer than the sending of one mail can take.
  leaseMs: 5 * MINUTE_MS,
  backoff: { firstMs: 30_000, lastMs: HOUR_MS },
  lifetimeMs: 3 * DAY_MS,
  // An outdated mail would do harm.
  dropsExpired: true,
  isAnnounced: true,
  summary: (mail) =>
    isJsonObject(mail) && typeof mail.subject === 'string'
      ? { subject: mail.subject, to: [mail.to, mail.bcc ?? []].flat().flatMap(addressIn) }
      : {},
};

const addressIn = (to: unknown): string[] => (isJsonObject(to) && typeof to.address === 'string' ? [to.address] : []);

/** The topic of an item that is a whole mail. Mails of other topics are composed when they are sent. */
export const WHOLE_MAIL = 'mail';

/** Queues a mail of a kind (`MailKind`). Any process sends it after the commit of the transaction. */
export async function queueMail(
  db: Queryable,
  kind: string,
  data: unknown,
  options: { lifetimeMs?: number } = {},
): Promise<void> {
  await enqueue(db, MAILS, [{ topic: kind, data }], options);
}

/** Queues a whole mail. */
export const queueWholeMail = (db: Queryable, mail: Mail): Promise<void> => queueMail(db, WHOLE_MAIL, mail);
