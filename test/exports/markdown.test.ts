import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { frontMatter } from '../../src/features/exports/front-matter.ts';
import { create, publish } from '../files/file-content.ts';
import { describeEachEngine } from '../support/database.ts';
import { type RequestOptions, startTestSite, type TestSite } from '../support/site.ts';

const MARKDOWN = 'text/markdown';
/** The header `Accept` of programs that read Markdown, as they send it. */
const READERS = [
  MARKDOWN,
  'text/markdown, text/html, */*',
  'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
  'text/markdown, application/json;q=0.5',
];

it('front matter is YAML with each text as it was, whatever the text is', () => {
  const text = fc.string({ minLength: 1, unit: 'binary' });
  const member = fc.oneof(
    text,
    fc.array(text),
    fc.integer(),
    fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), text, { minKeys: 1 }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), member, { minKeys: 1 }), (members) => {
      const whole = frontMatter(members);
      const yaml = /^---\n([\s\S]*)---\n\n$/.exec(whole)?.[1] ?? '';
      const kept = Object.entries(members).filter(([, value]) => !Array.isArray(value) || value.length > 0);
      expect(parse(yaml) ?? {}).toEqual(Object.fromEntries(kept));
    }),
  );
});

describeEachEngine('Markdown', (engine) => {
  let site: TestSite;
  let news: string;
  const get = (path: string, accept: string, options: RequestOptions = {}, method = 'GET') =>
    site.request(method, path, { as: 'anonymous', ...options, headers: { Accept: accept, ...options.headers } });
  const markdown = (path: string, options?: RequestOptions) => get(path, MARKDOWN, options);

  beforeAll(async () => {
    site = await startTestSite(engine);
    news = (await create(site, '/', { '@type': 'Folder', title: 'News', id: 'news', description: 'All [of] it' })).path;
    await publish(site, news);
    const blocks = {
      blocks: {
        a: { '@type': 'title' },
        b: { '@type': 'slate', value: [{ type: 'p', children: [{ text: 'Some *words*' }] }] },
      },
      blocks_layout: { items: ['a', 'b'] },
    };
    const related = await create(site, news, { '@type': 'Page', title: 'Hidden words', id: 'hidden' });
    const open = await create(site, news, {
      ...{ '@type': 'Page', id: 'open', title: 'Open: "day"', description: 'In short', subjects: ['a', 'b c'] },
      ...{ effective: '2026-01-02T03:04:05Z', relatedItems: [related.UID], ...blocks },
    });
    await publish(site, open.path);
  });
  afterAll(() => site?.close());

  it.each(READERS)('content is Markdown for %s', async (accept) => {
    const { status, headers, text } = await get('/news/open', accept);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.get('vary')).toMatch(/^Accept, Authorization, Cookie, Accept-Language/);
    const [, head = '', body] = text.split(/^---\n/m);
    expect(head).toContain('type: "Page"\ntitle: "Open: \\"day\\""\ndescription: "In short"\n');
    expect(head).toContain(`url: "${site.url}/news/open"\n`);
    expect(head).toContain('state: "Published"\n');
    expect(head).toContain('effective: "2026-01-02T03:04:05.000Z"\n');
    expect(head).toContain('tags: ["a","b c"]\n');
    expect(head).toContain(`links:\n  parent: "${site.url}/news"\n`);
    expect(body).toBe('\n# Open: "day"\n\nSome \\*words\\*\n');
    expect(text).not.toContain('Hidden');
  });

  it('a container has its children as links, those that the caller may view, in batches', async () => {
    const { text } = await markdown('/news');
    expect(text).toContain(`## Contents\n\n- [Open: "day"](${site.url}/news/open): In short\n`);
    expect(text).toContain('items_total: 1\n');
    expect(text).not.toContain('Hidden');
    expect((await markdown('/news', { as: 'admin' })).text).toContain(`[Hidden words](${site.url}/news/hidden)`);
    const first = await markdown('/news?b_size=1', { as: 'admin' });
    const next = /^ {2}next: "([^"]*)"$/m.exec(first.text)?.[1] ?? '';
    expect(next).toBe(`${site.url}/news/@markdown?b_start=1&b_size=1`);
    const second = await get(next.slice(site.url.length), '*/*', { as: 'admin' });
    expect(second.text).toContain('Open: "day"');
    expect(second.text).toContain(`previous: "${site.url}/news/@markdown?b_start=0&b_size=1"`);
    expect((await markdown('/news?include_items=0')).text).not.toContain('Contents');
    expect((await markdown('/news?b_size=many')).status).toBe(400);
  });

  it('the same rights count as for JSON', async () => {
    for (const accept of [MARKDOWN, 'application/json']) {
      const { status, headers, text } = await get('/news/hidden', accept);
      expect([status, headers.get('content-type')]).toEqual([401, expect.stringMatching(/^application\/json/)]);
      expect(text).not.toContain('words');
    }
    const missing = await markdown('/news/nothing');
    expect([missing.status, missing.body.message]).toEqual([404, (await get('/news/nothing', '*/*')).body.message]);
    expect((await markdown('/news/open?version=0')).status).toBe(401);
    const former = await markdown('/news/open?version=0', { as: 'admin' });
    expect([former.status, former.text.includes('# Open')]).toEqual([200, true]);
  });

  it('it has an entity tag of its own, which ends with any change of what it shows', async () => {
    const before = await markdown('/news');
    const etag = before.headers.get('etag') ?? '';
    expect(etag).not.toBe((await get('/news', '*/*')).headers.get('etag'));
    const again = await markdown('/news', { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('vary')]).toEqual([304, expect.stringMatching(/^Accept, /)]);
    expect((await get('/news', 'application/json', { headers: { 'If-None-Match': etag } })).status).toBe(200);
    await site.request('PATCH', '/news/open', { json: { title: 'Open again' } });
    const after = await markdown('/news', { headers: { 'If-None-Match': etag } });
    expect([after.status, after.text.includes('[Open again]')]).toEqual([200, true]);
    await site.request('POST', '/news/open/@workflow/retract', { json: {} });
    expect((await markdown('/news')).text).not.toContain('Open again');
    await publish(site, '/news/open');
    expect((await markdown('/news')).text).toContain('Open again');
  });

  it('HEAD has the headers of GET', async () => {
    const whole = await markdown('/news/open');
    const head = await get('/news/open', MARKDOWN, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'vary', 'content-length'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  it('a moved page redirects to its new address, not to a service of it', async () => {
    await create(site, '/', { '@type': 'Page', id: 'old', title: 'Old' });
    await publish(site, '/old');
    await site.request('PATCH', '/old', { json: { id: 'new' } });
    const { status, headers } = await fetch(`${site.url}/old?x=1`, {
      headers: { Accept: MARKDOWN },
      redirect: 'manual',
    });
    expect([status, headers.get('location')]).toEqual([302, `${site.url}/new?x=1`]);
  });

  it('where there is no Markdown, a client gets the other form that it takes, else 406', async () => {
    for (const path of ['/@search', '/news/@breadcrumbs', '/sitemap.xml.gz', '/news/rss_view']) {
      for (const accept of ['text/markdown, */*;q=0.1', 'text/markdown, text/*, application/*'])
        expect([path, (await get(path, accept)).status]).toEqual([path, 200]);
      const { status, headers, body } = await get(path, MARKDOWN);
      expect([path, status, body.type]).toEqual([path, 406, 'NotAcceptable']);
      expect(headers.get('vary')).toMatch(/^Accept/);
    }
    expect((await markdown('/news/open/markdown_view')).status).toBe(200);
    expect((await markdown('/llms.txt')).status).toBe(200);
    // Errors have one form.
    expect((await markdown('/@nothing')).status).toBe(404);
  });

  it('a write is done and answered with JSON, whatever its client accepts', async () => {
    const json = { '@type': 'Page', id: 'written', title: 'Written' };
    const { status, body } = await site.request('POST', '/', { json, headers: { Accept: MARKDOWN } });
    expect([status, body.title]).toEqual([201, 'Written']);
  });

  it('a file and a picture are links', async () => {
    const data = { data: Buffer.from('text').toString('base64'), encoding: 'base64' };
    const file = { ...data, filename: 'a b.txt', 'content-type': 'text/plain' };
    await create(site, '/', { '@type': 'File', id: 'file', title: 'File', file });
    const { text } = await markdown('/file', { as: 'admin' });
    const url = /^ {2}file: "([^"]*)"$/m.exec(text)?.[1] ?? '';
    expect(url).toContain(`${site.url}/file/@@download/file`);
    expect(text).toContain(`[a b.txt](${url})`);
  });

  it('a malformed address is 404 or 400, as for JSON', async () => {
    for (const path of ['/%zz', '/a%2fb', '/++api++/++api++', '/x/%00'])
      expect([path, (await markdown(path)).status]).toEqual([path, (await get(path, '*/*')).status]);
  });
});
