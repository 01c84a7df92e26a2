import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, requireKnownSchema } from '../../src/database/migrate.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { packageFolder } from '../../src/lib/process/process.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';
import { schemaSnapshot } from '../support/schema-snapshot.ts';

const FOLDER = packageFolder('migrations');
/** The migrations before the first release, as databases list them: `id name checksum` in each line. */
const DRAFT = (await readFile(new URL('migrations-before-release.txt', import.meta.url), 'utf8')).trim().split('\n');

describeEachEngine('a database of a version before the first release', (engine) => {
  let created: TestDatabase;
  const listed = () => created.database.query({ text: 'select id, name, checksum from schema_migration order by id' });
  /** Makes a database of today look like one of a version before the first release that has applied these. */
  async function list(lines: readonly string[]): Promise<void> {
    const rows = lines.map((line) => line.split(' ')).map(([id, name, sum]) => `(${id}, '${name}', '${sum}')`);
    await created.database.script(
      `delete from schema_migration; insert into schema_migration (id, name, checksum) values ${rows.join(', ')}`,
    );
  }

  beforeEach(async () => {
    created = await createTestDatabase(engine);
  });
  afterEach(() => created.drop());

  test('one that has all migrations is opened as it is, and lists the first migration from then on', async () => {
    const [before, today] = [await schemaSnapshot(created.database), await listed()];
    await list(DRAFT);
    await requireKnownSchema(created.database, FOLDER);
    expect(await migrate(created.database, FOLDER)).toEqual([]);
    expect(await listed()).toEqual(today);
    expect(await schemaSnapshot(created.database)).toBe(before);
  });

  test('several processes that start at once open it', async () => {
    await list(DRAFT);
    const { url } = created;
    const starters =
      url === undefined
        ? [created.database, created.database]
        : [1, 2, 3, 4].map(() => new PostgresDatabase(url, { log: () => undefined }));
    try {
      expect(await Promise.all(starters.map((starter) => migrate(starter, FOLDER)))).toEqual(starters.map(() => []));
    } finally {
      if (url !== undefined) await Promise.all(starters.map((starter) => starter.close()));
    }
    expect(await listed()).toHaveLength(1);
  });

  test.each([
    ['one that stopped in between', DRAFT.slice(0, 40), '0041_lease_of_the_dead'],
    ['one with a migration that differs', [...DRAFT.slice(0, -1), '60 one_queue 0'], '0060_one_queue'],
    ['one with a migration too many', [...DRAFT, '61 more 0'], '0061_more'],
  ])('%s is rejected in one line that says what to do, unchanged', async (_case, lines, last) => {
    await list(lines);
    const before = await listed();
    const message = new RegExp(
      `^The database has the schema of a version before 0\\.1\\.0 \\(${last}\\), .* Start it once with the last version before 0\\.1\\.0, or export .*$`,
    );
    await expect(requireKnownSchema(created.database, FOLDER)).rejects.toThrow(message);
    await expect(migrate(created.database, FOLDER)).rejects.toThrow(message);
    expect(await listed()).toEqual(before);
  });
});
