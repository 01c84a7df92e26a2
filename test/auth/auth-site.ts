import { PGlite } from '@electric-sql/pglite';
import { type AuthContext, createAuthContext } from '../../src/core/people/login.ts';
import type { TokenOptions } from '../../src/core/people/tokens.ts';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { packageFolder } from '../../src/lib/process/process.ts';

/** A database in memory with the schema in it. */
export async function openDatabase(): Promise<Database> {
  const log = (message: string, error: unknown): void => console.error(message, error);
  const db = new PgliteDatabase(await PGlite.create(), { log });
  await migrate(db, packageFolder('migrations'));
  return db;
}

/** A site whose clock and options the test sets, with the delays that the server requested. */
export type AuthSite = {
  context: AuthContext;
  options: TokenOptions;
  delays: number[];
  advance(seconds: number): void;
};

export async function openSite(db: Database): Promise<AuthSite> {
  const options: TokenOptions = { token_timeout: 43_200, use_keyring: true, store_tokens: false };
  const delays: number[] = [];
  let time = Date.now();
  const context = await createAuthContext(
    db,
    { current: () => options, follow: async () => {} },
    {
      now: () => new Date(time),
      sleep: async (milliseconds) => {
        delays.push(milliseconds);
      },
    },
  );
  return {
    context,
    options,
    delays,
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}

/** Removes the rows that a test may have left behind. */
export async function clearAuthTables(db: Database): Promise<void> {
  await db.script('truncate account, principal_group, group_member, signing_key, issued_token, login_failure cascade');
}

export async function addAccount(
  db: Database,
  id: string,
  data: { login?: string; password?: string | null; fullname?: string; roles?: string[] } = {},
): Promise<void> {
  await db.query({
    text: `insert into account (id, login, password, fullname, roles, created) values ($1, $2, $3, $4, $5, '2020-01-01')`,
    values: [id, data.login ?? id, data.password ?? null, data.fullname ?? '', data.roles ?? []],
  });
}

export async function addGroup(
  db: Database,
  id: string,
  roles: string[],
  members: string[],
  groups: string[] = [],
): Promise<void> {
  await db.query({ text: 'insert into principal_group (id, roles) values ($1, $2)', values: [id, roles] });
  for (const [member, isGroup] of [
    ...members.map((m) => [m, false] as const),
    ...groups.map((g) => [g, true] as const),
  ]) {
    await db.query({
      text: 'insert into group_member (group_id, member_id, is_group) values ($1, $2, $3)',
      values: [id, member, isGroup],
    });
  }
}
