import type { Queryable } from '#core';

/** A message of a rule for a user. `kind` is `info`, `warning` or `error`. */
export type Notification = { id: number; at: Date; kind: string; message: string; path: string };

/** Maximum number of stored messages of each user. */
const MAX_KEPT = 100;

/** Stores a message for a user, and removes old messages. A message for a user without an account on the site is left out. */
export async function insertNotification(
  db: Queryable,
  account: string,
  { kind, message, path }: Pick<Notification, 'kind' | 'message' | 'path'>,
): Promise<void> {
  await db.query({
    name: 'insert-notification',
    text: `with old as (
        delete from notification where account = $1 and id <= (
          select id from notification where account = $1 order by id desc offset ${MAX_KEPT - 1} limit 1
        )
      )
      insert into notification (account, at, kind, message, path)
      select id, $5, $2, $3, $4 from account where id = $1`,
    values: [account, kind, message, path, new Date()],
  });
}

/** The messages for a user, the newest first. */
export const listNotifications = (db: Queryable, account: string): Promise<Notification[]> =>
  db.query<Notification>({
    name: 'list-notifications',
    text: `select id, at, kind, message, path from notification where account = $1 order by id desc limit ${MAX_KEPT}`,
    values: [account],
  });

/** Removes one message of a user, or all of them. Returns their number. */
export async function removeNotifications(db: Queryable, account: string, id?: number): Promise<number> {
  const rows = await db.query({
    name: 'remove-notifications',
    text: 'delete from notification where account = $1 and ($2::bigint is null or id = $2) returning id',
    values: [account, id],
  });
  return rows.length;
}
