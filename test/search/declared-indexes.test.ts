import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindexSite } from '../../src/core/content/reindex-site.ts';
import { customIndex } from '../../src/core/search/indexes/declared.ts';
import { defineFeature } from '../../src/core/services/feature.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { addFields, integerField, textField } from './declare.ts';
import { list, make, search } from './make.ts';

const titles = defineFeature({
  name: 'titles',
  columns: [{ name: 'shouted', value: ({ title }) => title.toUpperCase() }],
  indexes: [
    customIndex('words', 'number', ({ title }) => title.split(' ').length, { title: 'Words of the title' }),
    customIndex('tags_and_words', 'keyword', ({ title }) => title.split(' ')),
  ],
});

describeEachEngine('indexes and columns that an add-on registers', (engine) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite(engine, { features: [titles] });
    for (const [id, title] of Object.entries({ a: 'One', b: 'One two', c: 'One two three' }))
      await make(site, '/', { '@type': PAGE, id, title });
  });
  afterAll(() => site?.close());

  it('indexes of an add-on can be searched and sorted by', async () => {
    expect((await search(site, '', 'words:int=2&portal_type=Page')).paths).toEqual(['/b']);
    const most = 'words.query:int=2&words.range=min&sort_on=words&sort_order=descending';
    expect((await search(site, '', `portal_type=Page&${most}`)).paths).toEqual(['/c', '/b']);
    expect((await search(site, '', 'tags_and_words=three')).paths).toEqual(['/c']);
  });

  it('indexes of an add-on are offered to the editor of queries when they declare operations', async () => {
    const { body } = await site.request('GET', '/@querystring');
    expect(body.indexes.words).toMatchObject({ title: 'Words of the title', group: 'Metadata', sortable: true });
    expect(body.indexes).not.toHaveProperty('tags_and_words');
    const { body: found } = await site.request('POST', '/@querystring-search', {
      json: { query: [{ i: 'words', o: 'plone.app.querystring.operation.int.largerThan', v: '3' }] },
    });
    expect(found.items.map(({ title }: { title: string }) => title)).toContain('One two three');
    expect((await list(site, '', [{ i: 'words', o: 'int.is', v: '1' }])).paths).toEqual(['/a']);
  });

  it('columns of an add-on are shown on request', async () => {
    const { body } = await site.request('GET', '/@search?id=b&metadata_fields=shouted');
    expect(body.items[0]).toMatchObject({ shouted: 'ONE TWO' });
  });

  it('indexes of an add-on that is installed later get their values by a reindex', async () => {
    await site.kernel.db.query({ text: `update catalog set custom = '{}'` });
    await site.kernel.db.query({ text: 'delete from catalog_value' });
    expect((await search(site, '', 'words:int=2')).total).toBe(0);
    await reindexSite(site.kernel);
    expect((await search(site, '', 'words:int=2&portal_type=Page')).paths).toEqual(['/b']);
    expect((await search(site, '', 'words.query:int=3&words.range=max&portal_type=Page')).total).toBe(3);
  });

  it('no type can declare an index with the name of an add-on’s index', async () => {
    const { kernel } = site;
    await expect(addFields(kernel, PAGE, { words: integerField({ index: 'number' }) })).rejects.toThrow(
      `${PAGE}.words: There is an index "words" already.`,
    );
    await expect(addFields(kernel, PAGE, { shouted: textField({ column: true }) })).rejects.toThrow(
      `${PAGE}.shouted: There is a column "shouted" already.`,
    );
    expect((await search(site, '', 'words:int=1&portal_type=Page')).paths).toEqual(['/a']);
  });
});
