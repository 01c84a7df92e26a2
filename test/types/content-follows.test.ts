import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const LINE = 'Text line (String)';

describeEachEngine('content and the schema of its type', (engine) => {
  const site = useTestSite(engine);
  const { done, read, problems, newType, addField, create, panel } = typesSite(site);

  it('a change of defaults, limits and required fields counts from the next request on', async () => {
    const type = await newType();
    await addField(type, { factory: 'Integer', title: 'Pages', minimum: 1, maximum: 100, default: 10 });
    await addField(type, { factory: LINE, title: 'ISBN', required: true });
    expect(await problems('POST', '/', { '@type': type, title: 'A book', pages: 101 })).toEqual({
      pages: 'Must be at most 100.',
      isbn: 'Required input is missing.',
    });
    const book = await create(type, { isbn: '978-3' });
    expect(await read(book)).toMatchObject({ pages: 10, isbn: '978-3' });
    expect(await problems('PATCH', book, { isbn: null })).toEqual({ isbn: expect.stringContaining('required') });
    await done(204, 'PATCH', `/@types/${type}/isbn`, { required: false });
    await done(204, 'PATCH', book, { isbn: null });
  });

  it('old content that no longer fits its schema is still served and can be changed in other fields', async () => {
    const type = await newType();
    await addField(type, { factory: 'Integer', title: 'Pages' });
    const old = await create(type, { pages: 500 });
    await done(204, 'PATCH', `/@types/${type}/pages`, { maximum: 100 });
    await addField(type, { factory: LINE, title: 'ISBN', required: true });
    expect(await read(old)).toMatchObject({ pages: 500, isbn: null });
    await done(204, 'PATCH', old, { description: 'Still there' });
    expect(await problems('PATCH', old, { pages: 501 })).toHaveProperty('pages');
    expect(await read(old)).toMatchObject({ pages: 500, description: 'Still there' });
  });

  it('values of a removed field are hidden until the same field comes back', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Shelf', index: 'field' });
    const item = await create(type, { shelf: 'A-1' });
    expect((await read('/@search?shelf=A-1')).items_total).toBe(1);
    await done(204, 'DELETE', `/@types/${type}/shelf`);
    expect(await read(item)).not.toHaveProperty('shelf');
    await done(204, 'PATCH', item, { title: 'Another title', shelf: 'B-2' });
    const ANOTHER = { shelf: expect.stringContaining('may still have values of "shelf" as "Text line (String)"') };
    expect(await problems('POST', `/@types/${type}`, { factory: 'File', title: 'Shelf' })).toEqual(ANOTHER);
    await addField(type, { factory: LINE, title: 'Shelf' });
    expect(await read(item)).toMatchObject({ title: 'Another title', shelf: 'A-1' });
    await done(204, 'DELETE', `/@types/${type}/shelf`);
    await done(204, 'DELETE', item);
    expect(await problems('POST', `/@types/${type}`, { factory: 'File', title: 'Shelf' })).toEqual(ANOTHER);
    const [entry] = (await read('/@recyclebin')).items.filter((one: Json) => one.title === 'Another title');
    await done(204, 'DELETE', `/@recyclebin/${entry.recycle_id ?? entry.id}`);
    await addField(type, { factory: 'File', title: 'Shelf' });
  });

  it('values of a behavior that is switched off are kept', async () => {
    const type = await newType({ 'plone.eventlocation': true });
    const item = await create(type, { location: 'Town hall' });
    await done(204, 'PATCH', panel(type), { 'plone.eventlocation': false });
    expect(await read(item)).not.toHaveProperty('location');
    expect(await problems('POST', `/@types/${type}`, { factory: 'Integer', title: 'Location' })).toHaveProperty('id');
    await done(204, 'PATCH', panel(type), { 'plone.eventlocation': true });
    expect((await read(item)).location).toBe('Town hall');
  });
});
