import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MoveSite, startMoveSite } from '../copymove/move-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';

describeEachEngine('aliases', (engine) => {
  let site: MoveSite;
  let page = '';
  beforeAll(async () => {
    site = await startMoveSite(engine);
    page = await site.add('/', 'page', { '@type': 'Page' });
  });
  afterAll(() => site?.close());

  const add = (path: string, items: unknown, as: Who = 'admin') =>
    site.request('POST', `${path}/@aliases`, { as, json: { items } });
  const remove = (path: string, items: unknown) => site.request('DELETE', `${path}/@aliases`, { json: { items } });
  const upload = (csv: string | Uint8Array, headers: Record<string, string> = {}) => {
    const head =
      '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
    const body = Buffer.concat([Buffer.from(head), Buffer.from(csv), Buffer.from('\r\n--edge--\r\n')]);
    return site.request('POST', '/@aliases', {
      body,
      headers: { 'Content-Type': 'multipart/form-data; boundary=edge', ...headers },
    });
  };
  const paths = async (path: string, query = ''): Promise<string[]> =>
    (await site.read(`${path}/@aliases${query}`)).items.map((item: Json) => item.path);
  const where = async (path: string) => {
    const { status, headers } = await site.request('GET', path);
    return status === 302 ? (headers.get('location') ?? '').replace(site.url, '') : status;
  };

  it('aliases can be added as one path, a list of paths, or objects with dates', async () => {
    const target = await site.add('/', 'forms', { '@type': 'Page' });
    expect((await add(target, '/f-string')).status).toBe(201);
    expect((await add(target, ['/f-list', { path: '/f-object', datetime: '2022-05-05' }])).status).toBe(201);
    const { items } = await site.read(`${target}/@aliases`);
    expect(items.map((item: Json) => item.path)).toEqual(['/f-list', '/f-object', '/f-string']);
    expect(items[1]).toEqual({
      path: '/f-object',
      'redirect-to': target,
      manual: true,
      datetime: '2022-05-05T00:00:00.000Z',
    });
    for (const wrong of [undefined, 3, [null], [{ path: '/x', datetime: 'soon' }]])
      expect((await add(target, wrong)).status, JSON.stringify(wrong)).toBe(400);
  });

  it('aliases of content that cannot be added are named, and the others are added', async () => {
    const target = await site.add('/', 'failing', { '@type': 'Page' });
    await add(page, '/taken');
    const wrong = [
      'no-slash',
      '/page',
      '/',
      '/taken',
      '/@search',
      '/a/@@b',
      '/..',
      '/%zz',
      '/++api++/++api++/x',
      `/${'x'.repeat(3000)}`,
      '/\u0007',
    ];
    expect((await add(target, [...wrong, '/good'])).body).toEqual({ type: 'error', failed: wrong });
    expect(await paths(target)).toEqual(['/good']);
    expect(await paths(page)).toEqual(['/taken']);
  });

  it('an alias redirects to its content wherever that is moved, however the alias is encoded', async () => {
    const folder = await site.add('/', 'enc-folder');
    const target = await site.add('/', 'enc', { '@type': 'Page' });
    await add(target, ['/alt er/weg', '/%C3%BCber', '/with?id=7&x=%C3%BC', '/with?plain=ü']);
    await site.move(folder, target);
    const now = `${folder}/enc`;
    expect(await where('/alt%20er/weg')).toBe(now);
    expect(await where('/%C3%BCber/@breadcrumbs?a=1')).toBe(`${now}/@breadcrumbs?a=1`);
    expect(await where('/with?id=7&x=%C3%BC')).toBe(now);
    expect(await where('/with?plain=%C3%BC')).toBe(now);
    expect([
      await where('/with'),
      await where('/with?id=7'),
      await where('/with?%ff'),
      await where('/with?%00'),
    ]).toEqual([404, 404, 404, 404]);
    expect(await where('/++api++/with?id=7&x=%C3%BC')).toBe(`/++api++${now}`);
  });

  it('an alias of the site can redirect elsewhere and keeps the rest of the path and the query', async () => {
    const pairs = [
      { path: '/ext', 'redirect-to': 'https://elsewhere.example/base' },
      { path: '/ext-query', 'redirect-to': 'https://elsewhere.example/?a=1' },
      { path: '/own', 'redirect-to': `${site.url}${page}` },
    ];
    expect((await add('', pairs)).status).toBe(201);
    expect(await where('/ext/ü%20x/@search?q=1')).toBe('https://elsewhere.example/base/%C3%BC%20x/@search?q=1');
    expect(await where('/ext-query?b=2')).toBe('https://elsewhere.example/?a=1&b=2');
    expect(await where('/own')).toBe(page);
    const { items } = await site.read('/@aliases?q=/ext');
    expect(items.map((item: Json) => item['redirect-to'])).toEqual([
      'https://elsewhere.example/base',
      'https://elsewhere.example/?a=1',
    ]);
    for (const target of [
      'javascript:alert(1)',
      '//elsewhere.example',
      'http://',
      '/nowhere',
      '',
      undefined,
      7,
      `${page}?x`,
      '/\u0000',
    ])
      expect(
        (
          await add('', [
            { path: '/fine', 'redirect-to': page },
            { path: '/bad', 'redirect-to': target },
          ])
        ).status,
        String(target),
      ).toBe(400);
    expect(await where('/fine')).toBe(404);
    expect(
      (
        await add('', [
          { path: '/double', 'redirect-to': page },
          { path: '/double', 'redirect-to': page },
        ])
      ).status,
    ).toBe(400);
  });

  it('an alias of hidden content neither redirects nor is listed for callers who may not view the content', async () => {
    const secret = await site.add('/', 'secret', { '@type': 'Page' });
    await add(secret, '/way-in');
    expect((await site.request('GET', '/way-in', { as: 'anonymous' })).status).toBe(404);
    const sam = await site.person('sam', ['Member', 'Site Administrator']);
    const seen = (await site.request('GET', '/@aliases?q=/way-in', { as: sam })).body.items_total;
    const may = (await site.request('GET', secret, { as: sam })).status === 200;
    expect(seen).toBe(may ? 1 : 0);
    const ed = await site.person('ed');
    await site.share(page, 'ed', 'Editor');
    expect((await site.request('GET', `${page}/@aliases`, { as: ed })).status).toBe(200);
    expect((await add('', [{ path: '/e', 'redirect-to': page }], ed)).status).toBe(403);
    // Aliases of other content cannot be removed here.
    const deleted = await site.request('DELETE', `${page}/@aliases`, { as: ed, json: { items: ['/way-in'] } });
    expect(deleted.body).toEqual({ type: 'error', failed: ['/way-in'] });
    expect(await where('/way-in')).toBe(secret);
  });

  it('the list of aliases is filtered by text, kind and date, and comes in batches', async () => {
    const target = await site.add('/', 'listed', { '@type': 'Page' });
    const items = Array.from({ length: 30 }, (_, i) => ({
      path: `/list/${String(i).padStart(2, '0')}`,
      datetime: `2021-01-${String(i + 1).padStart(2, '0')}`,
    }));
    await add(target, items);
    const first = await site.read(`${target}/@aliases?query=/list`);
    expect([first.items.length, first.items_total]).toEqual([25, 30]);
    expect(first.links).toEqual(first.batching);
    expect((await site.read(first.links.next.slice(site.url.length))).items).toHaveLength(5);
    expect(await paths(target, '?q=T/2')).toHaveLength(10);
    expect(await paths(target, '?start=2021-01-10&end=2021-01-12&manual=true')).toEqual(['/list/09', '/list/10']);
    expect(await paths(target, '?datetime=2021-01-02&manual=&q=&start=&b_size=')).toEqual(['/list/00']);
    expect(await paths(target, '?manual=false')).toEqual([]);
    for (const query of ['start=x', 'manual=maybe', 'b_size=x', 'q=%00'])
      expect((await site.request('GET', `${target}/@aliases?${query}`)).status, query).toBe(400);
  });

  it('an alias is removed by its path as it was given or listed', async () => {
    const target = await site.add('/', 'removing', { '@type': 'Page' });
    await add(target, ['/r%20one', '/r-two', '/r-three']);
    expect((await remove(target, ['/r%20one', { path: '/r-two' }])).status).toBe(204);
    expect((await remove(target, '/r-three')).status).toBe(204);
    expect((await remove(target, ['/r-three', { path: 7 }])).body).toEqual({
      type: 'error',
      failed: ['/r-three', '7'],
    });
    expect(await where('/r-two')).toBe(404);
  });

  it('aliases are removed with their target', async () => {
    const target = await site.add('/', 'going', { '@type': 'Page' });
    await add(target, '/gone');
    await site.request('DELETE', target);
    expect(await where('/gone')).toBe(404);
    expect(await paths('', '?q=/gone')).toEqual([]);
  });

  it('aliases that are imported from CSV are exported as the same file', async () => {
    const csv = [
      'old path,new path,datetime,manual',
      `/csv-a,${page},2022/05/05 10:00:00 GMT+2,True`,
      `"/csv-b?x=""1"", 2",https://elsewhere.example/,2022/05/05 00:00:00 GMT+0,False`,
      '',
    ].join('\r\n');
    expect((await upload(csv)).status).toBe(204);
    expect(await where('/csv-a')).toBe(page);
    const file = await site.request('GET', '/@aliases?q=/csv', { headers: { Accept: 'text/csv' } });
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="redirects.csv"');
    expect(file.text).toBe(csv.replace('10:00:00 GMT+2', '08:00:00 GMT+0'));
    expect((await upload(`/no-heading,${page}\n`)).status).toBe(204);
    expect(await where('/no-heading')).toBe(page);
    for (const heading of ['from,to', 'old path,new path,when,how,why', '\ufeff"old",new']) {
      expect((await upload(`${heading}\n"/headed, too",${page}\n`)).status, heading).toBe(204);
      expect(await where('/headed,%20too')).toBe(page);
      await site.request('DELETE', '/@aliases', { json: { items: [{ path: '/headed, too' }] } });
    }
  });

  it('a CSV file with wrong lines adds no alias, and the response names all wrong lines', async () => {
    const wrong = await upload(
      `old path,new path,datetime,manual\n/file-good,${page},,\nno-slash,${page},,\n/file-x,/nowhere,,\n`,
    );
    expect(wrong.status).toBe(400);
    expect(wrong.body).toMatchObject({ type: 'BadRequest', message: 'Found 1 errors in CSV file.' });
    expect(wrong.body.csv_errors).toEqual([
      { line_number: 3, line: `no-slash,${page},,`, message: expect.stringContaining('slash') },
    ]);
    const later = await upload(`/file-good,${page}\n/file-x,/nowhere\n/page,${page}\n`);
    expect(later.body.csv_errors.map((error: Json) => error.line_number)).toEqual([2, 3]);
    expect(await where('/file-good')).toBe(404);
    const lines: [line: string, message: string][] = [
      ['nonsense,/nowhere', 'slash'],
      [`nonsense,${page}`, 'slash'],
      ['nonsense,https://elsewhere.example/', 'slash'],
      ['nonsense', '2 to 4 columns'],
      [`"/a, b",${page},,,`, '2 to 4 columns'],
    ];
    for (const [line, message] of lines) {
      const { status, body } = await upload(`${line}\n`);
      expect([line, status]).toEqual([line, 400]);
      expect(body.csv_errors).toEqual([{ line_number: 1, line, message: expect.stringContaining(message) }]);
    }
    expect((await upload(`from,to\nnonsense,${page}\n`)).body.csv_errors[0].line_number).toBe(2);
    for (const line of [`/d,${page},yesterday,True`, `/d,${page},,perhaps`, `/d,${page},,,`])
      expect((await upload(`${line}\n`)).status, line).toBe(400);
  });

  it('malformed and oversized forms of aliases are rejected', async () => {
    expect((await upload(Uint8Array.of(0x2f, 0xff, 0xfe))).status).toBe(400);
    expect((await upload('/a,/b', { 'Content-Type': 'multipart/form-data; boundary=other' })).status).toBe(400);
    expect((await upload('/a,/b', { 'Content-Type': 'multipart/form-data' })).status).toBe(400);
    expect((await upload('x'.repeat(11 * 1024 * 1024))).status).toBe(413);
    const elsewhere = await site.request('POST', `${page}/@aliases`, {
      body: '--e--',
      headers: { 'Content-Type': 'multipart/form-data; boundary=e' },
    });
    expect(elsewhere.status).toBe(415);
  });

  it('aliases never redirect in circles', async () => {
    const a = await site.add('/', 'circle', { '@type': 'Page' });
    expect((await add('', [{ path: '/circle', 'redirect-to': a }])).status).toBe(400);
    await site.kernel.db.query({
      text: "insert into redirect (path, target_url, manual) values ('/r-a', '/r-b', true), ('/r-b', '/r-a', true), ('/r-c', '/r-c/d', true)",
    });
    expect([await where('/r-a'), await where('/r-b/x'), await where('/r-c')]).toEqual([404, 404, 404]);
  });
});
