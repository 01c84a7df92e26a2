import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { PgliteConnection } from '../../src/storage/pglite/connection.ts';
import { Turns } from '../../src/storage/pglite/turns.ts';
import { PgliteUpkeep } from '../../src/storage/pglite/upkeep.ts';

test('the upkeep of the embedded database vacuums and analyses the table that changed most', async () => {
  const problems: unknown[] = [];
  const log = (_message: string, error: unknown): void => void problems.push(error);
  const connection = new PgliteConnection(await PGlite.create(), log);
  const upkeep = new PgliteUpkeep(connection, new Turns(), log);
  await connection.script(`create table "Odd name" (id integer primary key, n integer) with (autovacuum_enabled = false);
    insert into "Odd name" select i, 0 from generate_series(1, 1000) i;
    update "Odd name" set n = 1;
    select pg_stat_force_next_flush();`);
  await upkeep.run();
  await upkeep.stop();
  const rows = await connection.query({
    text: 'select reltuples::integer as tuples from pg_class where relname = $1',
    values: ['Odd name'],
  });
  await connection.close();
  expect(problems).toEqual([]);
  expect(rows).toEqual([{ tuples: 1000 }]);
});
