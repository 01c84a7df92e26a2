import type { Queryable } from '../../../storage/database.ts';

/** Any fixed number that no other program in the same database is likely to use. */
const PEOPLE_LOCK = 4_072_026_003;

/**
 * Waits for any other change of accounts and groups; held until the transaction ends. Names are unique across two
 * tables and one Manager must remain: rules over many rows, which no constraint can keep.
 */
export async function lockPeople(tx: Queryable): Promise<void> {
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [PEOPLE_LOCK] });
}
