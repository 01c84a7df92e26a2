import { afterAll, beforeAll, expect, it } from 'vitest';
import { KINDS } from '../../src/core/configuration/site/site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE, SITE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import {
  addFields,
  addToCatalog,
  choiceField,
  flagField,
  integerField,
  listField,
  relationField,
  textField,
} from './declare.ts';
import { list, make, search, transition } from './make.ts';

const SECRET = { read_permission: 'Manage users' };

describeEachEngine('declared indexes and columns', (engine) => {
  let site: TestSite;
  const columns = async (query: string, as: 'admin' | 'anonymous' = 'admin') =>
    (await site.request('GET', `/@search?${query}`, { as })).body.items;

  beforeAll(async () => {
    site = await startTestSite(engine);
    const { kernel } = site;
    await addFields(kernel, PAGE, {
      salary: integerField({ index: 'number', column: true }),
      flags: listField({ column: true }),
      open: flagField({ column: true }),
      size: choiceField({ column: true, choices: [['s', 'Small']] }),
    });
    await addFields(kernel, 'Folder', { salary: integerField(SECRET), grade: integerField() });
    await addFields(kernel, 'Link', { grade: integerField(), salary: textField() });
    // A behavior of several types.
    await addFields(kernel, 'basic', { mood: textField({ index: 'field', column: true }) }, KINDS.behavior);
    await make(site, '/', {
      '@type': PAGE,
      id: 'page',
      title: 'Page',
      salary: 5,
      flags: ['x'],
      open: true,
      size: 's',
    });
    await make(site, '/', { '@type': 'Folder', id: 'folder', title: 'Folder', salary: 6, grade: 1, mood: 'glad' });
    await make(site, '/', { '@type': 'Link', id: 'link', title: 'Link', remoteUrl: '/page', salary: '7', grade: 2 });
    for (const path of ['/page', '/folder', '/link']) await transition(site, path, 'publish');
  });
  afterAll(() => site?.close());

  it('a declared index does not search fields of the same name of types that do not declare it', async () => {
    const found = async (query: string) => (await search(site, '', query, 'anonymous')).paths;
    expect(await found('salary.query=0&salary.range=min')).toEqual(['/page']);
    expect(await found('salary=6')).toEqual([]);
    expect(await found('salary.not=6&portal_type=Folder')).toEqual(['/folder']);
    await make(site, '/', { '@type': 'Folder', id: 'second', title: 'Second', salary: 1 });
    await transition(site, '/second', 'publish');
    const order = 'sort_on=salary&portal_type=Folder&portal_type=Page';
    expect(await found(`${order}&sort_order=ascending`)).toEqual(['/page', '/folder', '/second']);
    expect(await found(`${order}&sort_order=descending`)).toEqual(['/page', '/folder', '/second']);
    const salaries = (await columns('metadata_fields=_all', 'anonymous')).map(
      ({ '@type': type, salary }: { '@type': string; salary: unknown }) => [type, salary],
    );
    expect(Object.fromEntries(salaries)).toEqual({ [PAGE]: 5, Folder: null, Link: null, [SITE]: null });
  });

  it('declared columns are shown by name, with _all and in @catalog, and are null where a type has no such field', async () => {
    const [page] = await columns('id=page&metadata_fields=flags&metadata_fields=open');
    expect(page).toMatchObject({ flags: ['x'], open: true });
    expect(page).not.toHaveProperty('size');
    expect((await columns('id=page&metadata_fields=_all'))[0]).toMatchObject({ size: 's', mood: null });
    expect((await columns('id=folder&metadata_fields=_all'))[0]).toMatchObject({ flags: null, mood: 'glad' });
    expect((await site.request('GET', '/page/@catalog')).body).toMatchObject({ salary: 5, open: true });
    const { body } = await site.request('POST', '/@querystring-search', {
      json: { query: [{ i: 'mood', o: 'string.is', v: 'glad' }], metadata_fields: ['mood'] },
    });
    expect(body.items).toMatchObject([{ '@type': 'Folder', mood: 'glad' }]);
  });

  it('an index can be declared for all types whose values fit and are readable for everybody', async () => {
    const { kernel } = site;
    await addToCatalog(kernel, {
      indexes: [
        { name: 'mark', attr: 'grade', type: 'integer', title: 'Mark', group: 'School', sortable: false },
        { name: 'rank', attr: 'grade', type: 'number', enabled: false },
      ],
      columns: [{ name: 'mark', attr: 'grade' }, { name: 'grade' }],
    });
    expect((await search(site, '', 'mark.query=1&mark.range=min&sort_on=rank&sort_order=descending')).paths).toEqual([
      '/link',
      '/folder',
    ]);
    expect((await search(site, '', 'mark=2')).paths).toEqual(['/link']);
    expect((await columns('mark=2&metadata_fields=mark&metadata_fields=grade'))[0]).toMatchObject({
      mark: 2,
      grade: 2,
    });
    const { body } = await site.request('GET', '/@querystring');
    expect(body.indexes.mark).toMatchObject({ title: 'Mark', group: 'School', enabled: true, sortable: false });
    expect(body.indexes.rank).toMatchObject({ title: 'Integer', enabled: false });
    // On folders the field needs a permission, and on links it is a text.
    await addToCatalog(kernel, { columns: [{ name: 'pay', attr: 'salary' }] });
    expect(
      (await columns('metadata_fields=pay&id=folder&id=page&sort_on=id')).map((item: object) => item),
    ).toMatchObject([{ pay: null }, { pay: 5 }]);
  });

  it('a declared index finds no relation to what the caller may not view', async () => {
    await addFields(site.kernel, 'Link', { sources: relationField({ index: 'uuid' }) });
    const { body: hidden } = await site.request('POST', '/', {
      json: { '@type': PAGE, id: 'hidden', title: 'Hidden' },
    });
    await make(site, '/', {
      ...{ '@type': 'Link', id: 'refers', title: 'Refers', remoteUrl: '/page' },
      ...{ sources: ['/hidden'], relatedItems: ['/hidden'] },
    });
    await transition(site, '/refers', 'publish');
    for (const name of ['sources', 'getRawRelatedItems']) {
      const found = async (as: 'admin' | 'anonymous') => [
        (await search(site, '', `${name}=${hidden.UID}`, as)).paths,
        (await search(site, '', `${name}.not=${hidden.UID}&id=refers`, as)).paths,
        (await list(site, '', [{ i: name, o: 'reference.is', v: '/hidden' }], {}, as)).paths,
      ];
      expect(await found('admin'), name).toEqual([['/refers'], [], ['/refers']]);
      expect(await found('anonymous'), name).toEqual([[], ['/refers'], []]);
    }
    await transition(site, '/hidden', 'publish');
    expect((await search(site, '', `sources=${hidden.UID}`, 'anonymous')).paths).toEqual(['/refers']);
  });

  it('a declared index ends with its declaration, and works at once when that comes back', async () => {
    const { kernel } = site;
    const known = async () => 'salary' in (await site.request('GET', '/@querystring')).body.indexes;
    await addFields(kernel, PAGE, { salary: integerField() });
    expect(await known()).toBe(false);
    // Conditions on unknown indexes are ignored.
    expect((await search(site, '', 'salary=5&id=folder')).total).toBe(1);
    await make(site, '/', { '@type': PAGE, id: 'meanwhile', title: 'Meanwhile', salary: 50 });
    await addFields(kernel, PAGE, { salary: integerField({ index: 'number', column: true }) });
    expect(await known()).toBe(true);
    expect((await search(site, '', 'salary.query=50&salary.range=min')).paths).toEqual(['/meanwhile']);
  });

  it('columns of the core show no field that not everybody may read', async () => {
    await addFields(site.kernel, 'File', { file: { title: 'File', type: 'object', factory: 'File', ...SECRET } });
    const file = { data: 'c2VjcmV0', encoding: 'base64', filename: 'a.pdf', 'content-type': 'application/pdf' };
    await make(site, '/', { '@type': 'File', id: 'file', title: 'File', file });
    const [shown] = await columns('id=file&metadata_fields=_all');
    expect(shown).toMatchObject({ getObjSize: '0 KB', mime_type: 'text/plain' });
  });

  it('invalid declarations that are stored already are no error of the client', async () => {
    const { db } = site.kernel;
    const set = async (kind: string) => {
      await db.query({
        text: `update configuration set data = jsonb_set(data, '{properties,open,index}', to_jsonb($1::text)) where kind = 'type' and id = '${PAGE}'`,
        values: [kind],
      });
      await db.query({ text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'` });
    };
    await set('keyword');
    const { status, text } = await site.request('GET', '/page');
    expect(status).toBe(500);
    expect(text).not.toContain('Page.open');
    await set('boolean');
    expect((await search(site, '', 'open=1')).paths).toContain('/page');
  });

  it('a declared column shows no values that a field of another kind has left behind', async () => {
    await site.kernel.db.query({
      text: `update content set fields = fields || '{"size": {"hash": "0", "filename": "x"}, "salary": "much"}' where path = '/page'`,
    });
    const [page] = await columns('id=page&metadata_fields=_all');
    expect(page.size).toBeNull();
    expect((await search(site, '', 'salary.query=0&salary.range=min&sort_on=salary')).status).toBe(200);
  });
});
