import { afterAll, beforeAll, expect, it } from 'vitest';
import { cascadingKeys, dependentsOfContent } from '../../src/features/recycle-bin/statements/dependent-tables.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { binOf } from './recyclebin-site.ts';

describeEachEngine('tables that depend on content', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, remove, restore, rows } = binOf(() => site);

  it('rows of all dependent tables come back with restored content, including those of add-ons', async () => {
    await rows(`create table "Add-on" (id bigint generated always as identity primary key,
      content bigint not null references content (oid) on delete cascade, "from" jsonb, doubled bigint generated always as (id * 2) stored)`);
    await rows(`create table a_vote (addon bigint references "Add-on" (id) on delete cascade, content bigint references content (oid) on delete cascade,
      voter text references account (id) on delete cascade, note bytea, primary key (addon, voter))`);
    const page = await add('/');
    await rows(`insert into account (id, login) values ('x', 'x'), ('y', 'y')`);
    await rows(`insert into "Add-on" (content, "from") select oid, '{"a": [1, null]}' from content where uid = $1`, [
      page.UID,
    ]);
    await rows(
      `insert into a_vote (addon, content, voter, note) select a.id, a.content, v, '\\x00ff' from "Add-on" a, unnest(array['x', 'y']) v`,
    );
    const [before] = await rows('select * from "Add-on"');
    const entry = await remove(page);
    expect(await rows('select 1 from "Add-on" union all select 1 from a_vote')).toEqual([]);
    await rows(`alter table "Add-on" add column since integer not null default 7`);
    await rows(`delete from account where id = 'y'`);
    expect((await restore(entry)).status).toBe(200);
    expect(await rows('select * from "Add-on"')).toEqual([{ ...before, since: 7 }]);
    // The vote of a removed user is not restored.
    expect(await rows(`select voter, encode(note, 'hex') as note from a_vote`)).toEqual([{ voter: 'x', note: '00ff' }]);
    await rows('drop table a_vote');
    await rows('drop table "Add-on"');
  });

  it('every foreign key to content and its dependents has an index, because a deletion looks up each row', async () => {
    const missing = [];
    const keys = [...(await cascadingKeys(site.kernel.db))];
    const reached = new Set([
      'content',
      'catalog',
      'reference',
      ...dependentsOfContent(keys).map(({ table }) => table),
    ]);
    for (const { table, columns } of keys.filter(({ parent }) => reached.has(parent))) {
      const [found] = await rows(
        `select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = $1::regclass and quote_ident(a.attname) = $2`,
        [table, columns[0]],
      );
      if (!found) missing.push(`${table} (${columns})`);
    }
    expect(missing).toEqual([]);
  });
});
