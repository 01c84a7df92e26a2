import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/database/migrate.ts';
import { MEMORY_OPTIONS } from '../../src/database/pglite/cluster.ts';
import { PgliteDatabase } from '../../src/database/pglite/database.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { askedEngines } from './engines.ts';
import { startPostgres } from './postgres-server.ts';
import { withDatabaseName } from './with-database-name.ts';

/** The templates that `createTestDatabase` copies: an archive of a data folder for PGlite, a database for PostgreSQL. */
export type Templates = {
  pglite?: { empty: string; migrated: string };
  postgresql?: { url: string; migrated: string };
};

declare module 'vitest' {
  interface ProvidedContext {
    templates: Templates;
  }
}

type Prepared<T> = { template: T; remove: () => Promise<void> };

function log(message: string, error: unknown): void {
  console.error(message, error);
}

/** Creates a migrated database of each engine, once for all test files; vitest calls it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const asked = askedEngines();
  const wants = (engine: 'pglite' | 'postgresql'): boolean => asked?.includes(engine) ?? true;
  const [pglite, postgresql] = await Promise.all([
    wants('pglite') ? preparePglite() : undefined,
    wants('postgresql') ? preparePostgres() : undefined,
  ]);
  if (wants('postgresql') && postgresql === undefined) {
    if (asked !== undefined) throw new Error('TEST_ENGINES asks for postgresql, but there is no server');
    console.warn('No PostgreSQL server here (TEST_DATABASE_URL is not set): tests run on PGlite only.');
  }
  project.provide('templates', {
    ...(pglite && { pglite: pglite.template }),
    ...(postgresql && { postgresql: postgresql.template }),
  });
  return async () => {
    await Promise.all([pglite?.remove(), postgresql?.remove()]);
  };
}

async function preparePglite(): Promise<Prepared<NonNullable<Templates['pglite']>>> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-pglite-'));
  const pg = await PGlite.create(MEMORY_OPTIONS);
  const database = new PgliteDatabase(pg, { log });
  const dump = async (name: string): Promise<string> => {
    const file = join(folder, name);
    // Not compressed: reading 40 MB is quicker than unpacking them in every test file.
    await writeFile(file, await (await pg.dumpDataDir('none')).bytes());
    return file;
  };
  const empty = await dump('empty.tar');
  await migrate(database, packageFolder('migrations'));
  const migrated = await dump('migrated.tar');
  await database.close();
  return { template: { empty, migrated }, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function preparePostgres(): Promise<Prepared<NonNullable<Templates['postgresql']>> | undefined> {
  const server = await startPostgres();
  if (server === undefined) return undefined;
  const { url } = server;
  const migrated = `canopy_template_${randomBytes(6).toString('hex')}`;
  const runAsAdmin = async (sql: string): Promise<void> => {
    const admin = new PostgresDatabase(url, { log, poolSize: 1 });
    await admin.script(sql);
    await admin.close();
  };
  await runAsAdmin(`create database ${migrated} template template0 encoding 'UTF8'`);
  const template = new PostgresDatabase(withDatabaseName(url, migrated), { log, poolSize: 1 });
  await migrate(template, packageFolder('migrations'));
  await template.close();
  return {
    template: { url, migrated },
    async remove() {
      await runAsAdmin(`drop database ${migrated} with (force)`);
      await server.stop();
    },
  };
}
