import { type Caller, callerFor } from '../security/caller.ts';
import type { Queryable } from '../storage/database.ts';
import { type AccountRow, accountById, accountByLogin } from '../storage/statements/accounts.ts';

export { replaceHash, setPassword } from '../storage/statements/accounts.ts';

/** A user as the database knows it, at the time `asOf` or a little later. */
export type Account = {
  readonly caller: Caller & { readonly id: string };
  readonly email: string;
  /** The stored hash; null when the user has no password yet. */
  readonly password: string | null;
  readonly created: Date;
  /** Tokens issued earlier are worth nothing. */
  readonly tokensValidFrom: Date;
  /** Taken before the reading; what is issued on the strength of this reading is dated by it. */
  readonly asOf: Date;
};

/** The user of this id with all groups, nested ones included, and all roles, in one statement; null when there is none. */
export function loadAccount(db: Queryable, id: string, asOf: Date = new Date()): Promise<Account | null> {
  return readAccount((value) => accountById(db, value), id, asOf);
}

/** As `loadAccount`, by the name that the user types at login. Upper and lower case differ. */
export function findByLogin(db: Queryable, login: string, asOf: Date = new Date()): Promise<Account | null> {
  return readAccount((value) => accountByLogin(db, value), login, asOf);
}

async function readAccount(
  find: (value: string) => Promise<AccountRow | undefined>,
  value: string,
  asOf: Date,
): Promise<Account | null> {
  // PostgreSQL has no text with this character: nobody has such a name, and asking would be an error.
  if (value.includes('\0')) return null;
  const row = await find(value);
  if (!row) return null;
  return {
    caller: { ...callerFor(row), id: row.id },
    email: row.email,
    password: row.password,
    created: row.created,
    tokensValidFrom: row.tokens_valid_from,
    asOf,
  };
}
