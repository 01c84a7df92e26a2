import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageFolder } from '../../src/lib/process/process.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import {
  addFields,
  dateField,
  dateTimeField,
  flagField,
  integerField,
  listField,
  numberField,
  textField,
} from './declare.ts';
import { make } from './make.ts';

const MIGRATION = readFileSync(`${packageFolder('migrations')}/0010_catalog_values.sql`, 'utf8');

describeEachEngine('the migration that keeps values of all fields', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const kept = () =>
    site.kernel.db.query({
      text: `select c.path, k.custom, (select jsonb_agg(to_jsonb(v) - 'oid' order by v.name) from catalog_value v where v.oid = c.oid) as ranged
        from content c join catalog k using (oid) order by c.path`,
    });

  it('the migration of kept values gives existing content the same values as its next change would', async () => {
    await addFields(site.kernel, PAGE, {
      ...{ rating: integerField(), place: textField(), reviewed: dateTimeField(), due: dateField() },
      ...{ urgent: flagField(), audience: listField(), weight: numberField() },
    });
    const values: Record<string, unknown>[] = [
      {
        rating: 7,
        place: 'Zeebrugge',
        reviewed: '2026-05-01T10:00:00Z',
        due: '2028-02-29',
        urgent: false,
        audience: ['b', 'a'],
      },
      { weight: -1.5e-7, place: '2026-02-30', audience: ['x'.repeat(600), 'short'] },
      { rating: 0, place: 'x'.repeat(501), audience: Array.from({ length: 600 }, (_, i) => `audience ${i}`) },
      { place: 'not 2026-05-01', reviewed: '0001-01-01T00:00:00Z', due: '9999-12-31' },
    ];
    for (const one of values) await make(site, '/', { '@type': PAGE, title: 'Page', ...one });
    const live = await kept();
    await site.kernel.db.script(`drop table catalog_value; update catalog set custom = '{}'; ${MIGRATION}`);
    expect(await kept()).toEqual(live);
  });
});
