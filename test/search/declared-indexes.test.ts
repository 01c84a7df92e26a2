import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerColumn } from '../../src/catalog/custom-columns.ts';
import { reindexSite } from '../../src/content/reindex-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { list, make, search } from './make.ts';

registerColumn('shouted', ({ title }) => title.toUpperCase());

const DECLARED = {
  rating: { title: 'Rating', type: 'integer', factory: 'Integer', index: 'number', column: true },
  audience: { title: 'Audience', type: 'array', factory: 'Tuple', items: { type: 'string' }, index: 'keyword' },
  reviewed: { title: 'Reviewed', type: 'string', factory: 'Date/Time', widget: 'datetime', index: 'date' },
  secret: { title: 'Secret', type: 'string', factory: 'Text', column: true, read_permission: 'Manage users' },
};

describeEachEngine('fields that declare an index or a column', (engine) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite(engine);
    const { db } = site.kernel;
    await db.query({
      text: `update configuration set data = data || jsonb_build_object('properties', coalesce(data->'properties', '{}') || $1::jsonb)
        where kind = 'type' and id = 'Page'`,
      values: [JSON.stringify(DECLARED)],
    });
    await db.query({
      text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'`,
    });
    await make(site, '/', {
      '@type': 'Page',
      id: 'a',
      title: 'A',
      rating: 9,
      audience: ['x', 'y'],
      reviewed: '2026-05-01T10:00:00Z',
    });
    await make(site, '/', { '@type': 'Page', id: 'b', title: 'B', rating: 10, audience: ['y'], secret: 'hidden' });
  });
  afterAll(() => site?.close());

  it('can be searched by their values and ranges', async () => {
    expect((await search(site, '', 'rating:int=9')).paths).toEqual(['/a']);
    expect((await search(site, '', 'rating.query=9.5&rating.range=min')).paths).toEqual(['/b']);
    expect((await search(site, '', 'audience.query=x&audience.query=y&audience.operator=and')).paths).toEqual(['/a']);
    expect((await search(site, '', 'reviewed=2026-05-01')).paths).toEqual(['/a']);
    expect((await search(site, '', 'reviewed.query=2026-05-01T10:00:01Z&reviewed.range=max')).paths).toEqual(['/a']);
  });

  it('can be sorted by, what has no value last', async () => {
    const paths = async (order: string) =>
      (await search(site, '', `sort_on=rating&sort_order=${order}&id=a&id=b&id=root`)).paths;
    expect(await paths('ascending')).toEqual(['/a', '/b', '/']);
    expect(await paths('descending')).toEqual(['/b', '/a', '/']);
  });

  it('are offered to listings, with operations of their kind', async () => {
    const { body } = await site.request('GET', '/@querystring');
    expect(body.indexes.rating.operations).toContain('plone.app.querystring.operation.int.largerThan');
    expect(body.sortable_indexes).not.toHaveProperty('audience');
    expect((await list(site, '', [{ i: 'rating', o: 'int.largerThan', v: 10 }])).paths).toEqual(['/b']);
  });

  it('are shown as columns, but for those that not everybody may read', async () => {
    const { body } = await site.request('GET', '/@search?id=b&metadata_fields=_all');
    expect(body.items[0]).toMatchObject({ rating: 10, shouted: 'B' });
    expect(body.items[0]).not.toHaveProperty('secret');
  });

  it('get their values at a reindex when they are declared later', async () => {
    await site.kernel.db.query({ text: `update catalog set custom = '{}'` });
    expect((await search(site, '', 'rating:int=9')).total).toBe(0);
    await reindexSite(site.kernel);
    expect((await search(site, '', 'rating:int=9')).paths).toEqual(['/a']);
  });
});
