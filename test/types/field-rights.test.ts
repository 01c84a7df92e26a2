import { expect, it } from 'vitest';
import { MANAGE_PORTAL } from '../../src/core/security/permissions.ts';
import { contentOf } from '../history/history-site.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { typesSite } from './types-site.ts';

const LINE = 'Text line (String)';

describeEachEngine('rights and rules of fields', (engine) => {
  const site = useTestSite(engine);
  const { ask, done, read, problems, schema, newType, addField } = typesSite(site);
  const { addUser, add, versions } = contentOf(() => site);
  const as = (who: Who) => ({ as: who });
  const found = async (who: Who, query: string): Promise<number> =>
    (await ask('GET', `/@search?b_size=0&${query}`, undefined, as(who))).body.items_total;

  it('a pattern is stored, served and kept by every value, whatever the text does to it', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Code', pattern: '^(?:[A-Z]{2}-)+\\d+$' });
    expect((await schema(type)).properties.code.pattern).toBe('^(?:[A-Z]{2}-)+\\d+$');
    const post = (code: unknown) => ({ '@type': type, title: 'Thing', code });
    expect(await problems('POST', '/', post('ab-1'))).toEqual({
      code: 'Does not fit the pattern ^(?:[A-Z]{2}-)+\\d+$.',
    });
    const path = (await done(201, 'POST', '/', post(' AB-CD-12 ')))['@id'];
    expect((await read(path)).code).toBe('AB-CD-12');
    expect(await problems('PATCH', path, { code: 'AB' })).toHaveProperty('code');
    await done(204, 'PATCH', path, { code: '' });
    // A matcher that backtracks would practically never end.
    await done(204, 'PATCH', `/@types/${type}/code`, { pattern: '^(a+)+$' });
    expect(await problems('PATCH', path, { code: `${'a'.repeat(5000)}!` })).toHaveProperty('code');
    await done(204, 'PATCH', `/@types/${type}/code`, { pattern: null });
    await done(204, 'PATCH', path, { code: 'anything' });
  });

  it('a pattern that repeats too much is not taken, and one that is stored already keeps nobody from other fields', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Code' });
    const costly = `${'[a-z]{0,1000}'.repeat(36)}[!#]`;
    expect(await problems('PATCH', `/@types/${type}`, { properties: { code: { pattern: costly } } })).toMatchObject({
      'properties.code.pattern': 'Takes too long to compare: repeat less in it.',
    });
    const path = (await done(201, 'POST', '/', { '@type': type, title: 'Thing', code: 'a'.repeat(3000) }))['@id'];
    const { kernel } = site;
    const { data } = (
      await kernel.db.query<{ data: Json }>({
        text: 'select data from configuration where kind = $1 and id = $2',
        values: ['type', type],
      })
    )[0] ?? { data: {} };
    data.properties.code.pattern = costly;
    await kernel.db.query({
      text: 'update configuration set data = $3 where kind = $1 and id = $2',
      values: ['type', type, JSON.stringify(data)],
    });
    await addField(type, { factory: LINE, title: 'Second' });
    expect((await schema(type)).properties.code.pattern).toBe(costly);
    const began = performance.now();
    await done(204, 'PATCH', path, { title: 'Other', code: 'a'.repeat(3000) });
    expect(await problems('PATCH', path, { code: `${'a'.repeat(3000)}b` })).toEqual({
      code: 'Is too long to be compared with the pattern of the field, or the pattern repeats too much.',
    });
    // Compared, it would take more than ten seconds.
    expect(performance.now() - began).toBeLessThan(5000);
    expect((await read(path)).title).toBe('Other');
  });

  it('patterns that cannot be, rules that do not go together and unknown keys are named, and nothing is changed', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Code' });
    const before = await schema(type);
    expect(
      await problems('PATCH', `/@types/${type}`, {
        properties: {
          code: { pattern: '(?=a)b', colour: 'red', read_permission: 5 },
          pages: { factory: 'Integer', title: 'Pages', pattern: '1', mode: 'loud', readonly: 'yes' },
          tags: { factory: 'List', title: 'Tags', unique: true },
          name: { factory: LINE, title: 'Name', unique: true, multilingual_options: { language_independent: true } },
        },
      }),
    ).toEqual({
      'properties.code.pattern':
        'Must be a regular expression of up to 500 characters, without look-around and back-references.',
      'properties.code.colour': 'Is no key that Canopy knows.',
      'properties.code.read_permission': 'Must be the name of a permission.',
      'properties.pages.pattern': 'A field of the kind "Integer" has no pattern.',
      'properties.pages.mode': 'Must be one of: hidden, display, input.',
      'properties.pages.readonly': 'Must be true or false.',
      'properties.tags.unique': 'Only texts, dates and numbers can be unique.',
      'properties.name.unique': 'A value that all translations share cannot be unique.',
    });
    expect(await problems('PATCH', `/@types/${type}/code`, { write_permission: 'No such' })).toEqual({
      'code.write_permission': 'There is no permission "No such".',
    });
    expect(await schema(type)).toEqual(before);
  });

  it('a field with a read permission is hidden from others in content, versions, listings and searches', async () => {
    const type = await newType({ versioning: true });
    await addField(type, { factory: LINE, title: 'Price', index: 'field', column: true });
    const member = await addUser(['Editor', 'Member']);
    const url = (await done(201, 'POST', '/', { '@type': type, title: 'Vase', price: 'hundredfold' }))['@id'];
    const path = new URL(url).pathname;
    await done(204, 'PATCH', path, { title: 'Blue vase' });
    expect(await found(member, 'SearchableText=hundredfold')).toBe(1);
    await done(204, 'PATCH', `/@types/${type}/price`, { read_permission: 'Manage users', index: null, column: null });
    const worker = await startWorker(site.kernel);
    try {
      await expect.poll(() => found(member, 'SearchableText=hundredfold'), { timeout: 30_000 }).toBe(0);
    } finally {
      await worker.close();
    }
    const seen = (await ask('GET', path, undefined, as(member))).body;
    expect([seen.title, 'price' in seen, (await read(path)).price]).toEqual(['Blue vase', false, 'hundredfold']);
    expect((await versions(path)).length).toBe(2);
    const old = (await ask('GET', `${path}/@history/0`, undefined, as(member))).body;
    expect([old.title, 'price' in old]).toEqual(['Vase', false]);
    for (const query of ['metadata_fields=price', 'metadata_fields=_all', 'fullobjects=1']) {
      const { text } = await ask('GET', `/@search?portal_type=${type}&${query}`, undefined, as(member));
      expect(text).toContain('Blue vase');
      expect(text).not.toContain('hundredfold');
    }
    expect(await found(member, `portal_type=${type}&price=hundredfold`)).toBe(1);
    await done(400, 'PATCH', `/@types/${type}/price`, { index: 'field' });
  });

  it('a field with a write permission is not offered to others, and keeps its value', async () => {
    const type = await newType();
    await addField(type, {
      factory: LINE,
      title: 'Budget',
      write_permission: 'Manage users',
      required: true,
      default: 'none',
    });
    const editor = await addUser(['Editor', 'Contributor', 'Member']);
    const path = await add('/', { '@type': type, budget: 'small' });
    const offered = (await ask('GET', `${path}/@types/${type}`, undefined, as(editor))).body;
    expect([offered.properties.budget, offered.required, JSON.stringify(offered.fieldsets).includes('budget')]).toEqual(
      [undefined, ['title'], false],
    );
    expect((await schema(type)).properties.budget).toMatchObject({ write_permission: 'Manage users' });
    const sent = { title: 'Changed', budget: 'large' };
    expect((await ask('PATCH', path, sent, as(editor))).status).toBe(204);
    expect(await read(path)).toMatchObject({ title: 'Changed', budget: 'small' });
    const made = (await ask('POST', '/', { '@type': type, ...sent }, as(editor))).body;
    expect(made).toMatchObject({ title: 'Changed', budget: 'none' });
  });

  it('of two objects with the same value of a unique field one is refused, also when both are written at once', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Isbn', unique: true });
    const MESSAGE = 'Other content has this value already. Give another one.';
    const make = (isbn: string) => ({ '@type': type, title: 'Book', isbn });
    const first = new URL((await done(201, 'POST', '/', make('1')))['@id']).pathname;
    expect(await problems('POST', '/', make('1'))).toEqual({ isbn: MESSAGE });
    const second = new URL((await done(201, 'POST', '/', make('2')))['@id']).pathname;
    expect(await problems('PATCH', second, { isbn: '1' })).toEqual({ isbn: MESSAGE });
    await done(204, 'PATCH', second, { title: 'Still here', isbn: '2' });
    await done(201, 'POST', '/', make(''));
    await done(201, 'POST', '/', make(''));
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('POST', '/', make('3'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    expect(await problems('POST', '/@copy', { source: first })).toEqual({ isbn: MESSAGE });
    await done(204, 'DELETE', first);
    await done(201, 'POST', '/', make('1'));
    const [binned] = (await read('/@recyclebin')).items;
    expect((await ask('POST', `${new URL(binned['@id']).pathname}/restore`, {})).status).toBe(400);
    const copy = new URL((await done(201, 'POST', `${second}/@workingcopy`))['@id']).pathname;
    await done(204, 'PATCH', copy, { title: 'As a copy' });
    await done(204, 'PATCH', `${copy}/@workingcopy`);
    expect(await read(second)).toMatchObject({ title: 'As a copy', isbn: '2' });
  });

  it('a field becomes unique only when no two objects have the same value', async () => {
    const type = await newType();
    await addField(type, { factory: 'Integer', title: 'Number' });
    const paths = [];
    for (const number of [1, 1]) paths.push(await add('/', { '@type': type, number }));
    expect(await problems('PATCH', `/@types/${type}/number`, { unique: true })).toEqual({
      'number.unique': `There is content with the same value: ${paths.sort().join(', ')}. Change it first.`,
    });
    const member = await addUser(['Member']);
    const { roles } = await read(`/@permissions/${encodeURIComponent(MANAGE_PORTAL)}`);
    await done(204, 'PATCH', '/@permissions', { [MANAGE_PORTAL]: [...roles, 'Member'] });
    const refused = await ask('PATCH', `/@types/${type}/number`, { unique: true }, as(member));
    await done(204, 'PATCH', '/@permissions', { [MANAGE_PORTAL]: roles });
    expect(refused.body.errors).toMatchObject([
      { field: 'number.unique', message: 'There is content with the same value. Change it first.' },
    ]);
    await done(204, 'PATCH', paths[1] ?? '', { number: 2 });
    await done(204, 'PATCH', `/@types/${type}/number`, { unique: true });
    expect((await schema(type)).properties.number).toMatchObject({ unique: true });
    expect(await problems('PATCH', paths[1] ?? '', { number: 1 })).toHaveProperty('number');
  });

  it('content is found by an index that a field is given later, once its job has run', async () => {
    const type = await newType();
    await addField(type, { factory: LINE, title: 'Shelf' });
    await add('/', { '@type': type, shelf: 'north' });
    await add('/', { '@type': type, shelf: 'south' });
    await done(204, 'PATCH', `/@types/${type}/shelf`, { index: 'field', column: true });
    const worker = await startWorker(site.kernel);
    try {
      await expect.poll(() => found('admin', `portal_type=${type}&shelf=north`), { timeout: 30_000 }).toBe(1);
    } finally {
      await worker.close();
    }
    const { body }: Json = await ask('GET', `/@search?portal_type=${type}&shelf=south&metadata_fields=shelf`);
    expect(body.items.map(({ shelf }: Json) => shelf)).toEqual(['south']);
  });
});
