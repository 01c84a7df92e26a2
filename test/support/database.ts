import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { describe, inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import type { PostgresOptions } from '../../src/database/postgres/options.ts';
import type { Engine } from './engines.ts';
import { NestingGuard } from './nesting-guard.ts';
import { withDatabaseName } from './with-database-name.ts';

/** A problem that the storage reported. */
type LoggedProblem = { message: string; error: unknown };

/** A database of one test. `problems` holds what it logged; `url` is set on PostgreSQL. */
export type TestDatabase = {
  database: Database;
  problems: LoggedProblem[];
  url: string | undefined;
  drop(): Promise<void>;
};

/** `migrated` is true by default; the other options are those of PostgresDatabase and have no meaning for PGlite. */
export type TestDatabaseOptions = Partial<PostgresOptions> & { migrated?: boolean };

/** The engines of this run. */
export function engines(): Engine[] {
  const templates = inject('templates');
  return [...(templates.pglite ? ['pglite' as const] : []), ...(templates.postgresql ? ['postgresql' as const] : [])];
}

/** One `describe` for each engine of this run. */
export function describeEachEngine(name: string, tests: (engine: Engine) => void): void {
  for (const engine of engines()) describe(`${name} (${engine})`, () => tests(engine));
}

/** The engine of this run on which tests are quickest. */
export function quickestEngine(): Engine {
  const [first = 'pglite', ...others] = engines();
  return others.at(-1) ?? first;
}

/**
 * One `describe` for tests that do not depend on the engine: on the quickest engine of this run, and on each of
 * them with TEST_SLOW.
 */
export function describeQuickestEngine(name: string, tests: (engine: Engine) => void): void {
  if (process.env.TEST_SLOW) describeEachEngine(name, tests);
  else describe(name, () => tests(quickestEngine()));
}

/** A fresh database with the schema in it. The caller must drop it. */
export function createTestDatabase(engine: Engine, options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return engine === 'pglite' ? createPglite(options) : createPostgres(options);
}

async function createPglite({ migrated = true, watch }: TestDatabaseOptions): Promise<TestDatabase> {
  const { pglite } = inject('templates');
  if (pglite === undefined) throw new Error('This run is without PGlite');
  const pg = await PGlite.create({ loadDataDir: await openAsBlob(migrated ? pglite.migrated : pglite.empty) });
  const problems: LoggedProblem[] = [];
  const database = new PgliteDatabase(pg, { log: (message, error) => problems.push({ message, error }), watch });
  return { database: new NestingGuard(database), problems, url: undefined, drop: () => database.close() };
}

async function createPostgres({ migrated = true, ...options }: TestDatabaseOptions): Promise<TestDatabase> {
  const { postgresql } = inject('templates');
  if (postgresql === undefined) throw new Error('This run is without PostgreSQL');
  const name = `canopy_test_${randomBytes(6).toString('hex')}`;
  const url = withDatabaseName(postgresql.url, name);
  await administer(postgresql.url, `create database ${name} template ${migrated ? postgresql.migrated : 'template0'}`);
  const problems: LoggedProblem[] = [];
  const log = (message: string, error: unknown): void => void problems.push({ message, error });
  const database = new PostgresDatabase(url, { log, ...options });
  return {
    database: new NestingGuard(database),
    problems,
    url,
    async drop() {
      await database.close();
      await administer(postgresql.url, `drop database ${name} with (force)`);
    },
  };
}

async function administer(url: string, sql: string): Promise<void> {
  const log = (message: string, error: unknown): void => console.error(message, error);
  const admin = new PostgresDatabase(url, { log, poolSize: 1 });
  try {
    await admin.script(sql);
  } finally {
    await admin.close();
  }
}
