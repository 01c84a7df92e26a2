import { expect, test } from 'vitest';
import { FEATURES } from '../../src/app/features.ts';
import { createTestDatabase, describeEachEngine } from '../support/database.ts';
import { schemaSnapshot } from '../support/schema-snapshot.ts';

describeEachEngine('migrations/schema.sql', (engine) => {
  // After a new migration: npx vitest run test/storage/schema-snapshot.test.ts --update
  test('schema.sql is the schema that the migrations make', async () => {
    const { database, drop } = await createTestDatabase(engine);
    const snapshot = await schemaSnapshot(database);
    await drop();
    await expect(snapshot).toMatchFileSnapshot('../../migrations/schema.sql');
  });

  test('each table says whether an export of the site takes its rows along, or why not (`tables` of its feature)', async () => {
    const { database, drop } = await createTestDatabase(engine);
    const tables = await database.query<{ name: string }>({
      text: `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    });
    await drop();
    const said = FEATURES.flatMap((feature) => feature.tables ?? []).map(({ name }) => name);
    expect(said.filter((name, i) => said.indexOf(name) !== i)).toEqual([]);
    expect(tables.map(({ name }) => name).filter((name) => !said.includes(name))).toEqual([]);
  });

  test('any change of the schema makes schema.sql differ', async () => {
    const { database, drop } = await createTestDatabase(engine);
    const changes = [
      'create table extra (id integer)',
      'alter table extra add column note text',
      `alter table extra alter column note set default 'x'`,
      'alter table extra alter column note set not null',
      'alter table extra add constraint extra_check check (id > 0)',
      'create index extra_index on extra (note)',
      'create function extra_function() returns trigger language plpgsql as $$ begin return new; end $$',
      'create trigger extra_trigger before insert on extra for each row execute function extra_function()',
      'create view extra_view as select 1 as one',
      `create type extra_type as enum ('a')`,
    ];
    let before = await schemaSnapshot(database);
    for (const change of changes) {
      await database.script(change);
      const after = await schemaSnapshot(database);
      expect(after, change).not.toBe(before);
      before = after;
    }
    await drop();
  });
});
