import { expect, it } from 'vitest';
import { rehearse } from '../../src/database/rehearse.ts';
import { lastingScope, partScope } from '../../src/features/import/import-run.ts';
import { createTestDatabase, describeEachEngine } from '../support/database.ts';

describeEachEngine('the scope of an import', (engine) => {
  it('a failing step is rolled back and the import goes on, in a rehearsal as well, which leaves nothing behind', async () => {
    const { database, drop } = await createTestDatabase(engine);
    try {
      const steps = async ({ db, write }: ReturnType<typeof lastingScope>) => {
        const add = (name: string, more = '') =>
          write((tx) => tx.query({ text: `insert into site_state values ($1, 'x')${more}`, values: [name] }));
        await add('a');
        await expect(add('a')).rejects.toThrow();
        await expect(add('b', `, ('b', 'twice')`)).rejects.toThrow();
        await add('c');
        return db.query({ text: `select name from site_state where value = 'x' order by name` });
      };
      const names = [{ name: 'a' }, { name: 'c' }];
      expect(await rehearse(database, (tx) => steps(partScope(tx)))).toEqual(names);
      expect(await database.query({ text: `select name from site_state where value = 'x'` })).toEqual([]);
      expect(await steps(lastingScope(database))).toEqual(names);
    } finally {
      await drop();
    }
  });
});
