import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

describeEachEngine('Transactions that see one moment', (engine) => {
  let test1: TestDatabase;
  const db = (): TestDatabase['database'] => test1.database;

  beforeAll(async () => {
    test1 = await createTestDatabase(engine, { migrated: false });
    await db().script('create table item (id integer constraint item_key primary key, data jsonb)');
  });
  afterAll(() => test1.drop());

  test('a snapshot sees one moment, on each of many connections that plan anew', async () => {
    await db().query({ text: 'insert into item values (1)' });
    for (let turn = 0; turn < 120; turn += 1) {
      const seen = await db().transaction(async (tx) => (await tx.query({ text: 'show transaction_isolation' }))[0], {
        snapshot: true,
      });
      expect(seen).toEqual({ transaction_isolation: 'repeatable read' });
    }
    const count = { text: 'select count(*) as count from item' };
    const steps = new EventEmitter();
    const looked = once(steps, 'looked');
    const seen = db().transaction(
      async (tx) => {
        const before = await tx.query(count);
        const written = once(steps, 'written');
        steps.emit('looked');
        await written;
        return [before, await tx.query(count)];
      },
      { snapshot: true },
    );
    await looked;
    // The embedded database runs one transaction at a time.
    if (engine === 'postgresql') await db().query({ text: 'insert into item values (2)' });
    steps.emit('written');
    expect(await seen).toEqual([[{ count: 1 }], [{ count: 1 }]]);
  });
});
