import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { PgliteUpkeep } from '../../src/storage/pglite/database.ts';

test('vacuums and analyses the table that changed most', async () => {
  const pg = await PGlite.create();
  const problems: unknown[] = [];
  const upkeep = new PgliteUpkeep(pg, (_message, error) => problems.push(error));
  await pg.exec(`create table "Odd name" (id integer primary key, n integer) with (autovacuum_enabled = false);
    insert into "Odd name" select i, 0 from generate_series(1, 1000) i;
    update "Odd name" set n = 1;
    select pg_stat_force_next_flush();`);
  await upkeep.run();
  await upkeep.stop();
  const { rows } = await pg.query('select reltuples::integer as tuples from pg_class where relname = $1', ['Odd name']);
  await pg.close();
  expect(problems).toEqual([]);
  expect(rows).toEqual([{ tuples: 1000 }]);
});
