import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { ENGINE_VERSION } from '../../src/database/pglite/cluster.ts';
import { createTestDatabase, engines } from '../support/database.ts';
import { withDatabaseName } from '../support/with-database-name.ts';

let dataDir: string;
const open: Database[] = [];

async function opened(dir = dataDir, databaseUrl?: string): Promise<Database> {
  const database = await openDatabase({ dataDir: dir, databaseUrl, log: () => undefined });
  open.push(database);
  return database;
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'canopy-data-'));
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

describe.skipIf(!engines().includes('pglite'))('openDatabase without DATABASE_URL', { timeout: 60_000 }, () => {
  test('after a kill the embedded database has what was committed, and nothing else', async () => {
    const database = await opened();
    expect(database.engine).toBe('pglite');
    await database.script('create table item (id integer primary key)');
    for (let id = 0; id < 50; id += 1) {
      await database.transaction((tx) => tx.query({ text: 'insert into item values ($1)', values: [id] }));
    }
    const copy = join(dataDir, 'copy');
    await database.transaction(async (tx) => {
      await tx.query({ text: 'insert into item values (1000)' });
      // A copy of the files with a transaction under way, as a killed process leaves them.
      await cp(join(dataDir, 'pgdata'), join(copy, 'pgdata'), { recursive: true });
    });
    const recovered = await opened(copy);
    expect(await recovered.query({ text: 'select count(*) as n, max(id) from item' })).toEqual([{ n: 50, max: 49 }]);
  });

  test('a commit of the embedded database is written to the disk', async () => {
    const database = await opened();
    const [settings] = await database.query({
      text: `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('wal_sync_method') as method`,
    });
    expect(settings).toEqual({ fsync: 'on', commit: 'on', method: 'fsync' });
  });

  test('a folder in use is rejected until its database is closed', async () => {
    const first = await openDatabase({ dataDir, log: () => undefined });
    await expect(opened()).rejects.toThrow(/is in use by another Canopy process/);
    await first.close();
    await opened();
  });

  test('a start that was killed while it created the database can be repeated', async () => {
    await mkdir(join(dataDir, 'pgdata.unfinished', 'base'), { recursive: true });
    await writeFile(join(dataDir, 'pgdata.unfinished', 'PG_VERSION'), '18\n');
    const database = await opened();
    expect(await database.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
  });

  test('a folder of another version of PostgreSQL is rejected in one line that says what to do, and stays as it is', async () => {
    const database = await opened();
    const [server] = await database.query<{ version: string }>({
      text: `select current_setting('server_version') as version`,
    });
    expect(server?.version.split('.')[0]).toBe(ENGINE_VERSION);
    for (const one of open.splice(0)) await one.close();
    const file = join(dataDir, 'pgdata', 'PG_VERSION');
    expect(await readFile(file, 'utf8')).toBe(`${ENGINE_VERSION}\n`);
    await writeFile(file, '17\n');
    await expect(opened()).rejects.toThrow(
      /^The embedded database in .*pgdata cannot be opened: it is of PostgreSQL 17, and this version of Canopy has \d+\. Export the site with .* import it with this one\.$/,
    );
    expect(await readFile(file, 'utf8')).toBe('17\n');
  });

  test('a folder that holds no database is reported in one line and unlocked', async () => {
    await mkdir(join(dataDir, 'pgdata'));
    await writeFile(join(dataDir, 'pgdata', 'PG_VERSION'), '12\n');
    await expect(opened()).rejects.toThrow(/^The embedded database in .*pgdata cannot be opened: .*$/);
    await rm(join(dataDir, 'pgdata'), { recursive: true });
    await opened();
  });
});

describe.skipIf(!engines().includes('postgresql'))('openDatabase with DATABASE_URL', () => {
  test('with DATABASE_URL the server is used, and DATA_DIR stays untouched', async () => {
    const { url, drop } = await createTestDatabase('postgresql', { migrated: false });
    const databases = [await opened(dataDir, url), await opened(dataDir, url)];
    expect(databases.map(({ engine }) => engine)).toEqual(['postgresql', 'postgresql']);
    for (const database of open.splice(0)) await database.close();
    await drop();
  });

  test('a database that does not exist is reported in one line', async () => {
    const url = withDatabaseName(inject('templates').postgresql?.url ?? '', 'no_such_database');
    await expect(opened(dataDir, url)).rejects.toThrow(
      /^Cannot connect to PostgreSQL at .*:\d+\/no_such_database: database "no_such_database" does not exist$/,
    );
  });

  test('a database that is not in UTF-8 is rejected', async () => {
    const { database, url, drop } = await createTestDatabase('postgresql', { migrated: false });
    const name = `${new URL(url ?? '').pathname.slice(1)}_ascii`;
    await database.script(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`);
    const attempt = openDatabase({ dataDir, databaseUrl: withDatabaseName(url ?? '', name), log: () => undefined });
    await expect(attempt).rejects.toThrow(/has the encoding SQL_ASCII; Canopy needs UTF8/);
    await database.script(`drop database ${name} with (force)`);
    await drop();
  });
});

describe('openDatabase with a wrong DATABASE_URL', () => {
  test('a server that cannot be reached is reported in one line, without the password', async () => {
    const attempt = opened(dataDir, 'postgres://me:secret@127.0.0.1:1/site');
    await expect(attempt).rejects.toThrow(
      /^Cannot connect to PostgreSQL at 127\.0\.0\.1:1\/site: connect ECONNREFUSED .*$/,
    );
    await expect(attempt).rejects.not.toThrow(/secret/);
  });

  test('a malformed DATABASE_URL is reported without the password', async () => {
    await expect(opened(dataDir, 'postgres://me:se%cret@host:port/site')).rejects.toThrow(
      /^DATABASE_URL is not an address[^%]*$/,
    );
  });
});
