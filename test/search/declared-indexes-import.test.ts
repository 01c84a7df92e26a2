import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { run } from '../importer/import-helpers.ts';
import { page, writeExport } from '../importer/readers/helpers.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { addFields, dateField, integerField, listField, longTextField } from './declare.ts';
import { search } from './make.ts';

describeEachEngine('declared indexes of imported content', (engine) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite(engine);
    await addFields(site.kernel, PAGE, {
      rating: integerField({ index: 'number' }),
      audience: listField({ index: 'keyword' }),
      due: dateField(),
      summary: longTextField({ index: 'text' }),
    });
  });
  afterAll(() => site?.close());

  it('declared indexes find imported content as after a reindex, also when they are declared later', async () => {
    const values = { rating: 7, audience: ['x', 'y'], due: '2031-05-01', summary: 'Boats in the harbour' };
    const directory = await writeExport({
      '1.json': page('/a', { title: 'A', ...values }),
      '2.json': page('/b', { title: 'B', rating: 70 }),
    });
    await run(site.kernel, directory);
    await addFields(site.kernel, PAGE, { due: dateField({ index: 'date' }) });
    const found = async () => ({
      rating: (await search(site, '', 'rating.query=50&rating.range=min')).paths,
      audience: (await search(site, '', 'audience=y')).paths,
      due: (await search(site, '', 'due.query=2031-01-01&due.range=min&sort_on=rating')).paths,
      summary: (await search(site, '', 'summary=boat')).paths,
    });
    const imported = await found();
    expect(imported).toEqual({ rating: ['/b'], audience: ['/a'], due: ['/a'], summary: ['/a'] });
    await reindexSite(site.kernel);
    expect(await found()).toEqual(imported);
  });
});
