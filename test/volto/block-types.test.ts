import { beforeAll, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('where types of blocks are used', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const read = async (path: string) => {
    const { status, body, text } = await site.request('GET', path);
    expect(status, text).toBe(200);
    return body;
  };

  beforeAll(async () => {
    const grid = { '@type': 'gridBlock', blocks: { x: { '@type': 'teaser' }, y: { '@type': 'teaser' } } };
    const old = { '@type': 'text', text: { blocks: [{ key: 'a', text: 'Old', type: 'unstyled' }], entityMap: {} } };
    const page = { '@type': 'Document', title: 'Page', blocks_layout: { items: ['a', 'b'] } };
    await make(site.kernel, '/', { ...page, id: 'one', blocks: { a: grid, b: old, c: {} } });
    await make(site.kernel, '/', { ...page, id: 'two', blocks: { a: { '@type': 'teaser' } } });
    await make(site.kernel, '/one', {
      ...page,
      id: 'below',
      blocks: { a: { '@type': 'teaser' }, b: { '@type': 'é"\'' } },
    });
  });

  it('The panel of blocks has the number of blocks of each type, those inside of others too.', async () => {
    expect(await read('/@blocktypes')).toMatchObject({ teaser: 4, gridBlock: 1, text: 1, 'é"\'': 1 });
  });

  it('Listings have the types of blocks of each object with their numbers.', async () => {
    const { items } = await read('/@search?path.query=/one&metadata_fields=block_types&sort_on=path');
    expect(items.map((item: { block_types: unknown }) => item.block_types)).toEqual([
      { gridBlock: 1, teaser: 2, text: 1 },
      { teaser: 1, 'é"\'': 1 },
    ]);
  });

  it('A type leads to the content that has it.', async () => {
    const of = (path: string, count: number) => ({ '@id': `${site.url}${path}`, title: 'Page', count });
    const all = [of('/one', 2), of('/one/below', 1), of('/two', 1)];
    expect(await read('/@blocktypes/teaser?path=/')).toEqual(all);
    expect(await read('/@blocktypes/teaser')).toEqual(all);
    expect(await read('/@blocktypes/teaser?path=/one/')).toEqual(all.slice(0, 2));
    expect(await read('/@blocktypes/teaser?b_start=1&b_size=1')).toEqual([all[1]]);
    expect(await read('/@blocktypes/nothing')).toEqual([]);
    expect(await read(`/@blocktypes/${encodeURIComponent('é"\'')}`)).toHaveLength(1);
  });

  it('Others than Managers learn nothing of it.', async () => {
    const as = await addPerson(site, { id: 'ed', roles: ['Member', 'Editor'] });
    expect((await site.request('GET', '/@blocktypes', { as })).status).toBe(403);
    expect((await site.request('GET', '/@blocktypes/teaser', { as: 'anonymous' })).status).toBe(401);
  });
});
