import { beforeAll, expect, test } from 'vitest';
import { addType } from '../content/add-type.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const COLOURS: [string, string][] = [
  ['red', 'Red'],
  ['green', 'Green'],
  ['blue', 'Blue'],
];

describeEachEngine('sources of fields', (engine) => {
  const site = useTestSite(engine);
  let painting: string;
  let editor: Who;

  beforeAll(async () => {
    const { kernel } = site;
    await addType(kernel, {
      id: 'Painting',
      properties: {
        colour: { factory: 'Choice', choices: COLOURS },
        colours: { factory: 'Multiple Choice', type: 'array', items: { choices: COLOURS } },
        state: { factory: 'Choice', vocabulary: { '@id': 'workflowStates' } },
        painter: { factory: 'Choice', vocabulary: { '@id': 'plone.app.vocabularies.Users' } },
        shows: { factory: 'Relation Choice', vocabulary: { '@id': 'plone.app.vocabularies.Catalog' } },
        lost: { factory: 'Choice', vocabulary: { '@id': 'no.such.vocabulary' } },
        price: { factory: 'Choice', choices: [['1', 'Cheap']], read_permission: 'cmf.ManagePortal' },
      },
    });
    await addType(kernel, {
      id: 'Sculpture',
      properties: { colour: { factory: 'Choice', choices: [['grey', 'Grey']] } },
    });
    painting = await make(kernel, '/', { '@type': 'Painting', id: 'painting' }, { state: 'published' });
    await make(kernel, '/', { '@type': 'Folder', id: 'gallery' }, { state: 'published' });
    editor = await addPerson(site, { id: 'erna', roles: ['Member', 'Editor', 'Contributor'] });
  });

  const read = async (address: string, as: Who = editor): Promise<Json> => {
    const { status, body, text } = await site.request('GET', address, { as });
    expect(status, text).toBe(200);
    return body;
  };
  const tokens = async (address: string, as?: Who): Promise<string[]> =>
    (await read(address, as)).items.map(({ token }: Json) => token);
  const status = async (address: string, as: Who = editor): Promise<number> =>
    (await site.request('GET', address, { as })).status;

  test('the choices of a field are its source, in their order', async () => {
    for (const field of ['colour', 'colours']) {
      expect(await read(`${painting}/@sources/${field}`)).toEqual({
        '@id': `${site.url}${painting}/@sources/${field}`,
        items: COLOURS.map(([token, title]) => ({ token, title })),
        items_total: 3,
      });
    }
    expect(await tokens(`${painting}/@sources/colour?sort_on=title`)).toEqual(['blue', 'green', 'red']);
    expect(await tokens(`${painting}/@sources/colour?title=re`)).toEqual(['red', 'green']);
    expect(await tokens(`${painting}/@sources/colour?token=blue`)).toEqual(['blue']);
    const batch = await read(`${painting}/@sources/colour?b_size=2`);
    expect(batch).toMatchObject({ items_total: 3, batching: { next: expect.stringContaining('b_start=2') } });
  });

  test('the vocabulary that a field names is its source, with the rules of that vocabulary', async () => {
    expect(await tokens(`${painting}/@sources/state`)).toEqual(await tokens('/@vocabularies/workflowStates'));
    expect(await tokens(`${painting}/@sources/painter`)).toContain('erna');
  });

  test('the sources of content that is still to be created are at its container', async () => {
    expect(await tokens('/gallery/@sources/colour?type=Sculpture')).toEqual(['grey']);
    expect(await tokens('/gallery/@sources/colour?type=Painting')).toEqual(['red', 'green', 'blue']);
    expect(await tokens('/gallery/@sources/colour')).toEqual(['red', 'green', 'blue']);
    expect(await tokens('/@sources/colours')).toEqual(['red', 'green', 'blue']);
    expect(await status('/gallery/@sources/colour?type=Nothing')).toBe(404);
    expect(await status('/gallery/@sources/colour?type=Folder')).toBe(404);
  });

  test('unknown fields, fields of any value and fields that the caller may not read have no source', async () => {
    for (const name of ['nothing', 'title', 'lost', '__proto__', 'price']) {
      const { status: code, body } = await site.request('GET', `${painting}/@sources/${name}`, { as: editor });
      expect([code, body.error], name).toEqual([404, `Not found: ${painting}/@sources/${name}`]);
    }
    expect(await tokens(`${painting}/@sources/price`, 'admin')).toEqual(['1']);
  });

  test('a request for a source without a field is rejected', async () => {
    for (const service of ['@sources', '@querysources'])
      for (const path of ['', painting]) {
        const { status: code, body } = await site.request('GET', `${path}/${service}`);
        expect([code, body.message]).toEqual([400, expect.stringContaining('Name the field')]);
      }
  });

  test('a source that is searched returns what fits a query', async () => {
    const uid = (await read(painting)).UID;
    const address = `${painting}/@querysources/shows?query=PAINT`;
    expect(await read(address)).toMatchObject({
      '@id': site.url + address,
      items: [{ token: uid, title: 'painting' }],
      items_total: 1,
    });
    expect(await tokens(`${painting}/@querysources/painter?query=ern`)).toEqual(['erna']);
    expect(await tokens('/gallery/@querysources/painter?query=ern&type=Painting')).toEqual(['erna']);
  });

  test('@querysources needs a query, and a source that can be searched', async () => {
    for (const query of ['', '?query=']) {
      const { status: code, body } = await site.request('GET', `${painting}/@querysources/painter${query}`);
      expect([code, body.message]).toEqual([400, expect.stringContaining('query')]);
    }
    for (const name of ['nothing', 'title', 'colour', 'state'])
      expect(await status(`${painting}/@querysources/${name}?query=a`), name).toBe(404);
  });

  test('sources need a caller who works with content and may view it', async () => {
    const member = await addPerson(site, { id: 'mia' });
    const reviewer = await addPerson(site, { id: 'rita', roles: ['Member', 'Reviewer'] });
    const hidden = await make(site.kernel, '/', { '@type': 'Painting', id: 'hidden' });
    for (const service of ['@sources/colour', '@querysources/painter?query=a']) {
      expect(await status(`${painting}/${service}`, 'anonymous')).toBe(401);
      expect(await status(`${painting}/${service}`, member)).toBe(403);
      expect(await status(`${painting}/${service}`, reviewer)).toBe(200);
      expect(await status(`${hidden}/${service}`, reviewer)).toBe(403);
    }
  });
});
