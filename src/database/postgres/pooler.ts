import type pg from 'pg';
import { DatabaseUnavailable, type ProblemLog } from '../database.ts';
import { toldProcess } from './cancel-request.ts';
import type { PostgresDatabase } from './database.ts';

/** Maximum number of attempts to observe that a pooler gives the connection of one client to another. */
const ATTEMPTS = 3;

async function evaluate<T>(client: pg.ClientBase, expression: string): Promise<T> {
  const [row] = (await client.query<{ value: T }>(`select ${expression} as value`)).rows;
  if (row === undefined) throw new Error('A statement without a row');
  return row.value;
}

const backendOf = (client: pg.ClientBase): Promise<number> => evaluate(client, 'pg_backend_pid()');

/** Says if one connection gets the session of another, as with PgBouncer in transaction mode. */
async function sharesSessions(database: PostgresDatabase): Promise<boolean> {
  return database.withConnection(async (one, isPooled) => {
    if (!isPooled) return false;
    const before = await backendOf(one);
    return database.withConnection(async (other) => {
      await other.query('begin');
      try {
        return (await backendOf(other)) === before || (await backendOf(one)) !== before;
      } finally {
        await other.query('rollback');
      }
    });
  });
}

/** Identifies the database and the start of its server. */
const IDENTITY = `pg_postmaster_start_time()::text || ' ' || (select oid from pg_database where datname = current_database())`;

/** The settings that a session cannot keep through a pooler, so that single statements need them from the role or the pooler. */
const UNSET = `array(select name || ' = ' || wanted from (values ('statement_timeout', '60s', '0'), ('jit', 'off', 'on')) s (name, wanted, bad)
  where current_setting(name) = bad)`;

/**
 * Checks if a database is reached through a pooler. Throws DatabaseUnavailable, with instructions, for a pooler in transaction mode without
 * DATABASE_DIRECT_URL, and for a DATABASE_DIRECT_URL to another database. Logs settings that work only in part.
 */
export async function checkPooler(
  database: PostgresDatabase,
  { directUrl, log }: { directUrl: string | undefined; log: ProblemLog },
): Promise<void> {
  if (directUrl === undefined) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      if (await sharesSessions(database))
        throw new DatabaseUnavailable(
          'DATABASE_URL leads through a pooler of connections in transaction mode. Set DATABASE_DIRECT_URL to the address of the server itself as well, for what needs a session.',
        );
    return;
  }
  const { identity, unset } = await database.withConnection(async (client) => ({
    identity: await evaluate<string>(client, IDENTITY),
    unset: await evaluate<string[]>(client, UNSET),
  }));
  await database.withDirectConnection(async (client) => {
    if ((await evaluate(client, IDENTITY)) !== identity)
      throw new DatabaseUnavailable('DATABASE_DIRECT_URL leads to another database than DATABASE_URL.');
    if ((await backendOf(client)) !== toldProcess(client))
      throw new DatabaseUnavailable(
        'DATABASE_DIRECT_URL leads through a pooler of connections, too. It must be the address of the server itself.',
      );
  });
  if (unset.length > 0)
    log(
      `Statements outside of transactions have no limits through the pooler. Set them for the role: alter role … set ${unset.join('; alter role … set ')}`,
    );
}
