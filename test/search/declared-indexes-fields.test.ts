import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import {
  addFields,
  choiceField,
  dateField,
  dateTimeField,
  flagField,
  integerField,
  listField,
  longTextField,
  numberField,
  relationField,
  textField,
} from './declare.ts';
import { list, make, search, transition } from './make.ts';

const OPERATION = 'plone.app.querystring.operation.';

describeEachEngine('fields that declare an index', (engine) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite(engine);
    // The content is created before the declarations, because it must be found as well.
    const undeclared = {
      rating: integerField(),
      weight: numberField(),
      audience: listField(),
      reviewed: dateTimeField(),
      due: dateField(),
      urgent: flagField(),
      place: textField({ title: 'Place', description: 'Where it is' }),
      size: choiceField({
        choices: [
          ['s', 'Small'],
          ['l', 'Large'],
        ],
      }),
      summary: longTextField(),
      sources: relationField(),
    };
    await addFields(site.kernel, PAGE, undeclared);
    await make(site, '/', {
      '@type': PAGE,
      id: 'a',
      title: 'A',
      rating: 9,
      weight: 0.5,
      audience: ['x', 'y'],
      reviewed: '2026-05-01T10:00:00Z',
      due: '2026-05-01',
      urgent: true,
      place: 'Zeebrugge',
      size: 's',
      summary: 'Three zebras were running through the harbour',
    });
    await make(site, '/', {
      '@type': PAGE,
      id: 'b',
      title: 'B',
      rating: 10,
      weight: -3,
      audience: ['y'],
      due: '2026-05-02',
      urgent: false,
      place: 'Antwerp',
      size: 'l',
      summary: 'A zebra ran. Harbour of zebras',
      sources: ['/a'],
    });
    await make(site, '/', { '@type': PAGE, id: 'c', title: 'C' });
    const kinds: Record<string, string> = {
      ...{ rating: 'integer', weight: 'number', audience: 'keyword', reviewed: 'date', due: 'date', urgent: 'boolean' },
      ...{ place: 'field', size: 'string', summary: 'text', sources: 'uuid' },
    };
    await addFields(
      site.kernel,
      PAGE,
      Object.fromEntries(
        Object.entries(undeclared).map(([name, field]) => [name, { ...field, index: kinds[name] ?? '' }]),
      ),
    );
  });
  afterAll(() => site?.close());

  const found = async (query: string) => (await search(site, '', `portal_type=Page&${query}`)).paths;

  it.each([
    ['rating=9', ['/a']],
    ['rating:int=9&rating:int=10', ['/a', '/b']],
    ['rating.query=9.5&rating.range=min', ['/b']],
    ['rating.query=9&rating.range=max', ['/a']],
    ['rating.query=1&rating.query=9&rating.range=min:max', ['/a']],
    ['rating.not=9', ['/b', '/c']],
    ['weight=-3', ['/b']],
    ['weight.query=0&weight.range=min', ['/a']],
    ['audience=x', ['/a']],
    ['audience=x&audience=y', ['/a', '/b']],
    ['audience.query=x&audience.query=y&audience.operator=and', ['/a']],
    ['audience.not=x', ['/b', '/c']],
    ['reviewed=2026-05-01', ['/a']],
    ['reviewed=2026-05-01T10:00', ['/a']],
    ['reviewed=2026-05-01T10:01', []],
    ['reviewed=2026-05-01&reviewed=2026-05-02', ['/a']],
    ['reviewed.query=2026-05-01T10:00:01Z&reviewed.range=max', ['/a']],
    ['reviewed.not=2026-05-01', ['/b', '/c']],
    ['due=2026-05-01', ['/a']],
    ['due.query=2026-05-02&due.range=max', ['/a', '/b']],
    ['due.query=2026-05-01T00:00:00Z&due.range=min', ['/a', '/b']],
    ['due.query=2026-05-01T00:00:01Z&due.range=min', ['/b']],
    ['urgent=true', ['/a']],
    ['urgent=0', ['/b']],
    ['urgent.not=1', ['/b', '/c']],
    ['place=Antwerp', ['/b']],
    ['place=antwerp', []],
    ['place.query=B&place.range=min', ['/a']],
    ['place.query=B&place.range=max', ['/b']],
    ['size=s&size=l', ['/a', '/b']],
    ['summary=zebras harbour', ['/a', '/b']],
    ['summary=run', ['/a']],
    ['summary=harb*', ['/a', '/b']],
    ['summary="of zebras"', ['/b']],
    ['summary=zebra NOT running', ['/b']],
    ['summary.not=running', ['/b', '/c']],
    ['summary=', ['/a', '/b', '/c']],
    ['summary.not=', ['/a', '/b', '/c']],
    ['summary=*', []],
    ['rating=9&place=Antwerp', []],
  ])('a declared index finds content from before the declaration: %s', async (query, paths) => {
    expect(await found(query)).toEqual(paths);
  });

  it('a declared index finds relations by the UID of their target', async () => {
    const { body } = await site.request('GET', '/a');
    expect(await found(`sources=${body.UID}`)).toEqual(['/b']);
    expect((await list(site, '', [{ i: 'sources', o: 'reference.is', v: '/a' }])).paths).toEqual(['/b']);
  });

  it('declared indexes search the words of single fields, which the full text has as well', async () => {
    expect((await search(site, '', 'SearchableText=zebras')).total).toBe(2);
    expect((await search(site, '', 'SearchableText=summary*')).total).toBe(0);
    expect((await search(site, '', 'Title=zebras')).total).toBe(0);
    expect(await found('summary=Antwerp')).toEqual([]);
  });

  it.each([
    ['rating', ['/a', '/b', '/c'], ['/b', '/a', '/c']],
    ['weight', ['/b', '/a', '/c'], ['/a', '/b', '/c']],
    ['reviewed', ['/a', '/b', '/c'], ['/a', '/b', '/c']],
    ['due', ['/a', '/b', '/c'], ['/b', '/a', '/c']],
    ['place', ['/b', '/a', '/c'], ['/a', '/b', '/c']],
    ['urgent', ['/b', '/a', '/c'], ['/a', '/b', '/c']],
    // Lists and words cannot be sorted by, so that the results are in the order of their creation.
    ['audience', ['/a', '/b', '/c'], ['/a', '/b', '/c']],
    ['summary', ['/a', '/b', '/c'], ['/a', '/b', '/c']],
  ])('results can be sorted by the declared index %s, with content without a value last', async (name, up, down) => {
    expect(await found(`sort_on=${name}`)).toEqual(up);
    expect(await found(`sort_on=${name}&sort_order=descending`)).toEqual(down);
  });

  it.each([
    ['rating=much', /rating/],
    ['rating=1e999', /rating/],
    ['urgent=perhaps', /urgent/],
    ['due=someday', /due/],
    ['due.query=2026-02-30&due.range=min', /due/],
    ['place=%00', /place/],
    ['audience.query=x&audience.operator=xor', /operator/],
    [`place=${Array.from({ length: 201 }, (_, i) => i).join('&place=')}`, /200 values/],
  ])('answer 400 with a message to %s', async (query, message) => {
    const { status, body } = await site.request('GET', `/@search?${query}`);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  it('declared indexes are offered to the editor of queries with the operations of their kind', async () => {
    const { body } = await site.request('GET', '/@querystring');
    const offered = (name: string) => body.indexes[name];
    const operations = (name: string): string[] =>
      offered(name).operations.map((operation: string) => operation.slice(OPERATION.length));
    expect(offered('place')).toMatchObject({
      title: 'Place',
      description: 'Where it is',
      group: 'Metadata',
      enabled: true,
      sortable: true,
    });
    expect(offered('due')).toMatchObject({ group: 'Dates', sortable: true });
    expect(offered('summary')).toMatchObject({ group: 'Text', sortable: false });
    expect(operations('rating')).toEqual(['int.is', 'int.lessThan', 'int.largerThan']);
    expect(operations('audience')).toEqual(['selection.any', 'selection.all', 'selection.none']);
    expect(operations('due')).toContain('date.lessThanRelativeDate');
    expect(operations('urgent')).toEqual(['boolean.isTrue', 'boolean.isFalse']);
    expect(operations('place')).toEqual(['string.is', 'string.isNot']);
    expect(operations('summary')).toEqual(['string.contains']);
    expect(operations('sources')).toEqual(['reference.is']);
    expect(operations('size')).toEqual(['selection.any', 'selection.none']);
    expect(offered('size').values).toEqual({ s: { title: 'Small' }, l: { title: 'Large' } });
    expect(Object.keys(offered('rating').operators)).toEqual(offered('rating').operations);
    const sortable = Object.keys(body.sortable_indexes);
    expect(sortable).toEqual(expect.arrayContaining(['rating', 'weight', 'due', 'place', 'urgent', 'size']));
    for (const name of ['audience', 'summary', 'sources']) expect(sortable).not.toContain(name);
  });

  it.each([
    [{ i: 'rating', o: 'int.largerThan', v: 10 }, ['/b']],
    [{ i: 'audience', o: 'selection.all', v: ['x', 'y'] }, ['/a']],
    [{ i: 'urgent', o: 'boolean.isFalse' }, ['/b']],
    [{ i: 'due', o: 'date.between', v: ['2026-05-01', '2026-05-01T12:00:00Z'] }, ['/a']],
    [{ i: 'place', o: 'string.is', v: 'Antwerp' }, ['/b']],
    [{ i: 'size', o: 'selection.none', v: ['s'] }, ['/', '/b', '/c']],
    [{ i: 'summary', o: 'string.contains', v: 'running' }, ['/a']],
  ])('a declared index can be used in listings: %j', async (row, paths) => {
    expect((await list(site, '', [row])).paths).toEqual(paths);
  });

  it('declared indexes are up to date after every write', async () => {
    const folder = await make(site, '/', { '@type': 'Folder', id: 'folder', title: 'Folder' });
    const page = await make(site, folder, { '@type': PAGE, id: 'page', title: 'Page', rating: 77, place: 'Here' });
    await site.request('PATCH', page, { json: { rating: 78, place: null, due: '2031-01-01', summary: 'Later' } });
    expect(await found('rating=77')).toEqual([]);
    expect(await found('place=Here')).toEqual([]);
    expect(await found('place.query=H&place.query=I&place.range=min:max')).toEqual([]);
    expect(await found('rating=78&due=2031-01-01&summary=later')).toEqual(['/folder/page']);
    await site.request('PATCH', folder, { json: { id: 'moved' } });
    expect(await found('rating.query=78&rating.range=min')).toEqual(['/moved/page']);
    await site.request('POST', '/@copy', { json: { source: '/moved' } });
    expect((await found('rating.query=78&rating.range=min')).length).toBe(2);
    expect((await found('summary=later&due=2031-01-01')).length).toBe(2);
    await site.request('DELETE', '/moved');
    expect((await found('rating.query=78&rating.range=min')).length).toBe(1);
    const { body } = await site.request('GET', '/@recyclebin');
    const [{ recycle_id: id }] = body.items ?? body;
    expect((await site.request('POST', `/@recyclebin/${id}/restore`, { json: {} })).status).toBeLessThan(300);
    expect((await found('rating.query=78&rating.range=min')).length).toBe(2);
    const rows = await site.kernel.db.query({
      text: `select from catalog_value v left join catalog k on k.oid = v.oid and k.custom ? v.name where k.oid is null`,
    });
    expect(rows).toEqual([]);
  });

  it('declared indexes find and count only what the caller may view', async () => {
    const asAnonymous = (query: string) => search(site, '', query, 'anonymous');
    expect(await asAnonymous('rating.query=0&rating.range=min')).toEqual({ status: 200, paths: [], total: 0 });
    expect(await asAnonymous('place=Zeebrugge')).toEqual({ status: 200, paths: [], total: 0 });
    expect(await asAnonymous('summary=zebras')).toEqual({ status: 200, paths: [], total: 0 });
    await transition(site, '/a', 'publish');
    expect(await asAnonymous('rating.query=0&rating.range=min')).toEqual({ status: 200, paths: ['/a'], total: 1 });
    expect((await asAnonymous('summary=zebras&sort_on=rating')).paths).toEqual(['/a']);
  });
});
