import type { Database, Queryable } from '../../../database/database.ts';
import type { Mail } from '../mail/mail.ts';
import type { Outbox, OutboxEntry } from '../mail/outbox-worker.ts';

/** The channel of notifications between processes that something is in the outbox. */
export const OUTBOX_CHANNEL = 'canopy_mail';

/** The kind of an entry that is a whole mail. Other kinds are composed when they are sent. */
export const WHOLE_MAIL = 'mail';

/** Milliseconds for which a mail is tried to be sent. */
const LIFETIME = 3 * 24 * 60 * 60_000;
/** Expired entries that one look into the outbox takes away. */
const PRUNE_BATCH = 100;

/** Puts something to be sent into the outbox. It leaves after the commit of the transaction, on any process. */
export async function queueMail(
  db: Queryable,
  kind: string,
  data: unknown,
  { now = new Date(), lifetime = LIFETIME }: { now?: Date; lifetime?: number } = {},
): Promise<void> {
  await db.query({
    name: 'mail-outbox-queue',
    text: `with queued as (
        insert into mail_outbox (kind, data, due, expires) values ($1, $2::jsonb, $3, $4) returning id
      )
      select pg_notify('${OUTBOX_CHANNEL}', '') from queued`,
    values: [kind, JSON.stringify(data), now, new Date(now.getTime() + lifetime)],
  });
}

/** Puts a whole mail into the outbox. */
export const queueWholeMail = (db: Queryable, mail: Mail): Promise<void> => queueMail(db, WHOLE_MAIL, mail);

/**
 * Counts the mails that wait, at most `limit` of them. `late` counts those that have failed so many times, and those that nobody has sent for so
 * many seconds after they were due.
 */
export async function countWaitingMails(
  db: Queryable,
  { attempts, seconds, limit }: { attempts: number; seconds: number; limit: number },
): Promise<{ waiting: number; late: number }> {
  const [row] = await db.query<{ waiting: number; late: number }>({
    name: 'mail-outbox-count',
    text: `select count(*)::int as waiting,
        count(*) filter (where attempts >= $1 or due < clock_timestamp() - make_interval(secs => $2::float8))::int as late
      from (select attempts, due from mail_outbox order by attempts desc limit $3) waiting`,
    values: [attempts, seconds, limit],
  });
  return row ?? { waiting: 0, late: 0 };
}

/** The outbox of the site. No transaction is open while a mail is sent: what is taken is leased. */
export const mailOutbox = (db: Database): Outbox => ({
  async expire(now) {
    await db.query({
      name: 'mail-outbox-expire',
      text: `delete from mail_outbox where id in (select id from mail_outbox where expires <= $1 limit ${PRUNE_BATCH})`,
      values: [now],
    });
  },
  async take(now, leasedUntil) {
    const rows = await db.query<OutboxEntry>({
      name: 'mail-outbox-take',
      text: `update mail_outbox set attempts = attempts + 1, due = $2
        where id = (
          select id from mail_outbox where due <= $1 and expires > $1 order by due, id limit 1 for update skip locked
        )
        returning id, kind, data, attempts`,
      values: [now, leasedUntil],
    });
    return rows[0];
  },
  async remove(id) {
    await db.query({ name: 'mail-outbox-remove', text: 'delete from mail_outbox where id = $1', values: [id] });
  },
  async postpone(id, due) {
    await db.query({
      name: 'mail-outbox-postpone',
      text: 'update mail_outbox set due = $2 where id = $1',
      values: [id, due],
    });
  },
});
