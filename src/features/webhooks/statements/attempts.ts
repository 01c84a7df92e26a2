import { claims, type Queryable } from '#core';

/** An attempt to send a message. `status` is null without a response, `problem` null for success. */
export type Attempt = {
  message: string;
  type: string;
  path: string;
  attempt: number;
  status: number | null;
  problem: string | null;
};

/** Maximum number of stored attempts of one webhook. */
const MAX_ATTEMPTS = 1000;
/** Attempts that one statement removes. */
const PRUNE_BATCH = 200;

/**
 * Stores an attempt, and the time since which all attempts have failed. Returns the seconds since that time; 0 after a success. Removes the oldest
 * attempts.
 */
export async function noteAttempt(
  db: Queryable,
  webhook: string,
  { message, type, path, attempt, status, problem }: Attempt,
): Promise<number> {
  const [row] = await db.query<{ failing: number }>({
    name: 'note-webhook-attempt',
    text: `with noted as (
        insert into webhook_attempt (webhook, message, type, path, attempt, status, problem)
        select id, $2, $3, $4, $5, $6, $7 from webhook where id = $1
      ), pruned as (
        delete from webhook_attempt where id in (${claims.UNCLAIMED(
          `select id from webhook_attempt where webhook = $1 and id <= (
            select id from webhook_attempt where webhook = $1 order by id desc offset ${MAX_ATTEMPTS - 1} limit 1
          ) order by id limit ${PRUNE_BATCH}`,
        )})
      )
      update webhook set failing_since = case when $7::text is not null then coalesce(failing_since, now()) end
      where id = $1 and ($7::text is not null or failing_since is not null)
      returning coalesce(extract(epoch from now() - failing_since), 0)::float8 as failing`,
    values: [webhook, message, type, path, attempt, status, problem],
  });
  return row?.failing ?? 0;
}

/** A batch of the attempts of a webhook, the newest first, with the number of all. */
export async function listAttempts(
  db: Queryable,
  webhook: string,
  { start, size }: { start: number; size: number },
): Promise<{ items: (Attempt & { at: Date })[]; total: number }> {
  const [count] = await db.query<{ total: number }>({
    text: 'select count(*)::int as total from webhook_attempt where webhook = $1',
    values: [webhook],
    reads: true,
  });
  const items = await db.query<Attempt & { at: Date }>({
    text: `select at, message, type, path, attempt, status, problem from webhook_attempt where webhook = $1
      order by id desc limit $3 offset $2`,
    values: [webhook, start, size],
    reads: true,
  });
  return { items, total: count?.total ?? 0 };
}
