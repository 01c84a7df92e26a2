import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, migrateFeature, requireKnownSchema } from '../../src/database/migrate.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';
import { schemaSnapshot } from '../support/schema-snapshot.ts';

describeEachEngine('migrate', (engine) => {
  let created: TestDatabase;
  let folder: string;
  const write = (name: string, sql: string): Promise<void> => writeFile(join(folder, name), sql);
  const applied = (): Promise<object[]> =>
    created.database.query({ text: 'select id, name from schema_migration order by id' });

  beforeEach(async () => {
    created = await createTestDatabase(engine, { migrated: false });
    folder = await mkdtemp(join(tmpdir(), 'canopy-migrations-'));
    await write('0001_first.sql', 'create table a (id integer);\ninsert into a values (1);\n');
  });
  afterEach(async () => {
    await created.drop();
    await rm(folder, { recursive: true });
  });

  test('each migration is applied once, in order, and recorded', async () => {
    await write('README.md', 'not a migration');
    expect(await migrate(created.database, folder)).toEqual(['0001_first']);
    await write('0002_second.sql', `insert into a values (2)`);
    expect(await migrate(created.database, folder)).toEqual(['0002_second']);
    expect(await migrate(created.database, folder)).toEqual([]);
    expect(await created.database.query({ text: 'select id from a order by id' })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await applied()).toEqual([
      { id: 1, name: 'first' },
      { id: 2, name: 'second' },
    ]);
  });

  test('a migration that fails leaves the schema of the one before', async () => {
    await write('0002_broken.sql', 'create table b (id integer); select 1/0;');
    await expect(migrate(created.database, folder)).rejects.toThrow(/division by zero/);
    expect(await applied()).toEqual([{ id: 1, name: 'first' }]);
    expect(await created.database.query({ text: `select to_regclass('b') as b` })).toEqual([{ b: null }]);
    await write('0002_broken.sql', 'create table b (id integer)');
    expect(await migrate(created.database, folder)).toEqual(['0002_broken']);
  });

  test('a database of a newer program is rejected', async () => {
    await write('0002_newer.sql', 'select 1');
    await migrate(created.database, folder);
    await rm(join(folder, '0002_newer.sql'));
    await expect(migrate(created.database, folder)).rejects.toThrow(/0002_newer, which this version .* does not know/);
  });

  test('a database of a newer program, or of a newer feature, is rejected before anything is changed', async () => {
    await write('0003_newer.sql', 'select 1');
    await write('0002_second.sql', 'create table b (id integer)');
    await migrate(created.database, folder);
    const newer = folder;
    folder = await mkdtemp(join(tmpdir(), 'canopy-migrations-'));
    await write('0001_first.sql', 'create table of_feature (id integer)');
    await write('0002_second.sql', 'create table of_feature_too (id integer)');
    await migrateFeature(created.database, 'shop', folder);
    await rm(join(folder, '0002_second.sql'));
    await write('0004_next.sql', 'create table c (id integer)');
    const features = [{ name: 'shop', folder }];
    const before = await schemaSnapshot(created.database);
    await expect(requireKnownSchema(created.database, folder)).rejects.toThrow(/0001_first was changed/);
    await expect(requireKnownSchema(created.database, newer, features)).rejects.toThrow(
      /^The database has the migration 0002_second of the feature "shop", which this version of the feature "shop" does not know\. Use .*newer one\.$/,
    );
    await rm(join(newer, '0003_newer.sql'));
    await expect(requireKnownSchema(created.database, newer)).rejects.toThrow(/^The database has .* 0003_newer.*$/);
    expect(await schemaSnapshot(created.database)).toBe(before);
    await rm(newer, { recursive: true });
  });

  test('a migration that was changed after it was applied is rejected', async () => {
    await migrate(created.database, folder);
    await write('0001_first.sql', 'create table a (id bigint)');
    await expect(migrate(created.database, folder)).rejects.toThrow(/0001_first was changed/);
  });

  test('a migration with the line ends of Windows counts as unchanged', async () => {
    await migrate(created.database, folder);
    await write('0001_first.sql', 'create table a (id integer);\r\ninsert into a values (1);\r\n');
    expect(await migrate(created.database, folder)).toEqual([]);
  });

  test('a migration with a number below an applied one is rejected', async () => {
    await write('0003_third.sql', 'select 1');
    await migrate(created.database, folder);
    await write('0002_late.sql', 'select 1');
    await expect(migrate(created.database, folder)).rejects.toThrow(
      /0002_late is not applied, but the later 0003_third/,
    );
  });

  test('two migrations with the same number are rejected', async () => {
    await write('0001_other.sql', 'select 1');
    await expect(migrate(created.database, folder)).rejects.toThrow(/Two migrations have the number 0001/);
  });

  test('several processes that start at once apply each migration once', async () => {
    await write('0002_slow.sql', 'select pg_sleep(0.1); insert into a values (2);');
    await write('0003_third.sql', 'insert into a values (3)');
    const url = created.url;
    const starters =
      url === undefined
        ? [created.database, created.database]
        : [1, 2, 3, 4].map(() => new PostgresDatabase(url, { log: () => undefined }));
    try {
      const done = await Promise.all(starters.map((starter) => migrate(starter, folder)));
      expect(done.flat().sort()).toEqual(['0001_first', '0002_slow', '0003_third']);
    } finally {
      if (url !== undefined) await Promise.all(starters.map((starter) => starter.close()));
    }
    expect(await created.database.query({ text: 'select id from a order by id' })).toHaveLength(3);
  });
});
