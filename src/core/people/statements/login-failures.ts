import type { Queryable } from '../../../database/database.ts';

/** Maximum number of old rows that one new failure removes. */
const PRUNE_BATCH = 100;

/** Failures since a time: times of the failures of the pair in milliseconds, newest first, and the numbers of other failures. */
export type LoginFailures = { ofPair: number[]; ofAccount: number; ofAddress: number };

/** Maximum number of failures of each kind that are counted. */
export type LoginFailureLimits = { pair: number; account: number; address: number };

/** The failures of an account, of an address, and of both together since a time. Runs one statement. */
export async function loadFailures(
  db: Queryable,
  { account, address, since }: { account: string; address: string; since: Date },
  limits: LoginFailureLimits,
): Promise<LoginFailures> {
  const [row] = await db.query<LoginFailures>({
    name: 'login-failures',
    reads: true,
    text: `select
      (select coalesce(jsonb_agg(extract(epoch from at) * 1000 order by at desc), '[]') from (
        select at from login_failure where account = $1 and address = $2 and at > $3
        order by at desc limit $4) pair) as "ofPair",
      (select count(*)::int from (
        select from login_failure where account = $1 and at > $3 limit $5) one) as "ofAccount",
      (select count(*)::int from (
        select from login_failure where address = $2 and at > $3 limit $6) one) as "ofAddress"`,
    values: [account, address, since, limits.pair, limits.account, limits.address],
  });
  if (!row) throw new Error('The count of login failures has no row.');
  return row;
}

/** Stores a failure and removes a batch of failures from before `since`, so that the table has little more than one window. */
export async function recordFailure(
  db: Queryable,
  { account, address, at, since }: { account: string; address: string; at: Date; since: Date },
): Promise<void> {
  await db.query({
    name: 'login-failure-record',
    text: `with old as (
        delete from login_failure where ctid in (select ctid from login_failure where at <= $4 limit ${PRUNE_BATCH})
      )
      insert into login_failure (account, address, at) values ($1, $2, $3)`,
    values: [account, address, at, since],
  });
}

/** Removes the failures of an account from an address. */
export async function clearFailures(db: Queryable, account: string, address: string): Promise<void> {
  await db.query({
    text: 'delete from login_failure where account = $1 and address = $2',
    values: [account, address],
  });
}
