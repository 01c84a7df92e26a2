import type { Queryable } from '../../../database/database.ts';

/** Rows that one new failure takes away, if they are old. */
const PRUNE_BATCH = 100;

/** Failures since a time: times of the pair's in milliseconds, newest first; counts of the others. */
export type LoginFailures = { ofPair: number[]; ofAccount: number; ofAddress: number };

/** The number of failures of each kind that matter; no more are counted. */
export type LoginFailureLimits = { pair: number; account: number; address: number };

/** The failures of an account, an address, and the two together since a time. One statement. */
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

/** Keeps a failure and takes away a batch of those from before `since`: the table holds little more than one window. */
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

/** Forgets the failures of an account from an address. */
export async function clearFailures(db: Queryable, account: string, address: string): Promise<void> {
  await db.query({
    text: 'delete from login_failure where account = $1 and address = $2',
    values: [account, address],
  });
}
