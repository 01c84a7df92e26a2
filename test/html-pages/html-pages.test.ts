import { beforeAll, describe, expect, it } from 'vitest';
import { preferredForm } from '../../src/core/http/negotiation.ts';
import { quickestEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { type RequestOptions, startTestSite } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** The header `Accept` of browsers that open an address. */
const BROWSERS = {
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  Chromium:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  lynx: 'text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01',
};
/** The header `Accept` of programs, also of the recorded requests. */
const PROGRAMS = {
  'Volto and @plone/client': 'application/json',
  'curl and fetch': '*/*',
  axios: 'application/json, text/plain, */*',
  jQuery: 'application/json, text/javascript, */*; q=0.01',
  'both alike': 'text/html, application/json',
  'HTML less than JSON': 'text/html;q=0.5, application/json',
  'no HTML at all': 'text/html;q=0, */*',
  'a broken quality': 'text/html;q=high',
  feeds: 'application/rss+xml',
  tables: 'text/csv',
  calendars: 'text/calendar',
  pictures: 'image/avif,image/webp,*/*',
  nothing: '',
};
const HTML = BROWSERS.Chromium;

const site = useTestSite(quickestEngine());
const open = (path: string, options: RequestOptions = {}, method = 'GET') =>
  site.request(method, path, { as: 'anonymous', ...options, headers: { Accept: HTML, ...options.headers } });
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  open(
    path,
    {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin', ...headers },
    },
    'POST',
  );
const add = async (path: string, json: object) => {
  const { status, body } = await site.request('POST', path, { json });
  expect(status).toBe(201);
  return body;
};
const publish = (path: string) => site.request('POST', `${path}/@workflow/publish`, { json: {} });

/** The value of the session cookie of a response. */
const sessionOf = (headers: Headers): string =>
  /canopy_session=([^;]*)/.exec(headers.getSetCookie().join('\n'))?.[1] ?? '';
const logIn = async () => {
  const { status, headers } = await form('/@login', { login: 'admin', password: 'admin' });
  expect(status).toBe(303);
  return { Cookie: `canopy_session=${sessionOf(headers)}` };
};

beforeAll(async () => {
  await add('/', { '@type': 'Folder', id: 'open', title: 'Open <b>folder</b>', description: 'For everybody' });
  await publish('/open');
  await add('/open', { '@type': PAGE, id: 'secret', title: 'Hidden words', description: 'Nobody reads this' });
  await add('/open', { '@type': PAGE, id: 'shown', title: 'Shown words' });
  await publish('/open/shown');
});

describe('requests for a page, and requests for JSON', () => {
  it.each(Object.entries(BROWSERS))('%s gets a page', async (_name, accept) => {
    const { status, headers, text } = await open('/open', { headers: { Accept: accept } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Open &lt;b>folder&lt;/b></h1>');
  });

  it.each(Object.entries(PROGRAMS))('a program gets JSON: %s', async (_name, accept) => {
    expect(preferredForm(accept)).toBeUndefined();
    const { status, headers, body } = await open('/open', { headers: { Accept: accept } });
    expect([status, headers.get('content-type'), body['@id']]).toEqual([200, 'application/json', `${site.url}/open`]);
  });

  it('an address with ++api++ is JSON for browsers as well', async () => {
    const { headers } = await open('/++api++/open');
    expect(headers.get('content-type')).toBe('application/json');
  });

  it('the headers of JSON are the same with pages and without them', async () => {
    const without = await startTestSite(quickestEngine(), { environment: { HTML_PAGES: 'off' } });
    try {
      const names = ['content-type', 'cache-control', 'vary', 'content-security-policy', 'referrer-policy'];
      const headersOf = ({ headers }: { headers: Headers }) => names.map((name) => headers.get(name));
      const ask = { as: 'anonymous' } as const;
      expect(headersOf(await site.request('GET', '/', ask))).toEqual(headersOf(await without.request('GET', '/', ask)));
      const { headers } = await without.request('GET', '/', { ...ask, headers: { Accept: HTML } });
      expect(headers.get('content-type')).toBe('application/json');
      expect((await without.request('GET', '/@docs', { ...ask, headers: { Accept: HTML } })).status).toBe(404);
    } finally {
      await without.close();
    }
  });

  it('caches outside that may keep JSON learn that the address has a page as well', async () => {
    const cached = await startTestSite(quickestEngine());
    try {
      const ask = { as: 'anonymous' } as const;
      expect((await cached.request('GET', '/', ask)).headers.get('vary')).not.toMatch(/\bAccept(?:,|$)/);
      await cached.request('PATCH', '/@controlpanels/caching', { json: { enabled: true } });
      const json = await cached.request('GET', '/', ask);
      expect(json.headers.get('cache-control')).toContain('s-maxage');
      expect(json.headers.get('vary')).toMatch(/\bAccept(?:,|$)/);
      const page = await cached.request('GET', '/', { ...ask, headers: { Accept: HTML } });
      expect(page.headers.get('cache-control')).toBe('private, no-cache');
      // Neither of the two is sent for the other one, however often both are asked for.
      expect((await cached.request('GET', '/', ask)).headers.get('content-type')).toBe('application/json');
      const etag = json.headers.get('etag') ?? '';
      const again = await cached.request('GET', '/', { ...ask, headers: { Accept: HTML, 'If-None-Match': etag } });
      expect(again.status).toBe(200);
    } finally {
      await cached.close();
    }
  });

  it('a page has an entity tag, and is not sent again while it is the same', async () => {
    const { headers } = await open('/open');
    const etag = headers.get('etag') ?? '';
    expect((await open('/open', { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await open('/open', { headers: { 'If-None-Match': etag, 'Accept-Language': 'sv' } })).status).toBe(200);
  });

  it('pages allow no inline code, and send nothing to other sites', async () => {
    const { headers, text } = await open('/open');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|script-src/);
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/);
  });
});

describe('permissions of pages', () => {
  it('a visitor gets the form to log in for private content, with nothing of it', async () => {
    const { status, text } = await open('/open/secret');
    expect(status).toBe(401);
    expect(text).toContain('name="password"');
    expect(text).not.toMatch(/Hidden words|Nobody reads/);
  });

  it('lists, searches and errors show a visitor only published content', async () => {
    for (const path of ['/open', '/@search?SearchableText=words', '/open/@search?path.depth=1', '/open?view=json']) {
      const { status, text } = await open(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('Shown words');
      expect(text).not.toContain('Hidden words');
    }
    const { status, text } = await open('/open/nothing');
    expect([status, text.includes('There is nothing here')]).toEqual([404, true]);
  });

  it('logging in shows it, and logging out ends the session', async () => {
    const session = await logIn();
    const page = await open('/open/secret', { headers: session });
    expect([page.status, page.text.includes('Hidden words')]).toEqual([200, true]);
    expect((await open('/open', { headers: session })).text).toContain('Hidden words');
    const out = await form('/@logout?came_from=/open', {}, session);
    expect([out.status, out.headers.get('location')]).toEqual([303, '/open']);
    expect(out.headers.getSetCookie().join()).toContain('canopy_session=; Path=/; Max-Age=0');
  });

  it('the cookie of the pages is out of reach of scripts and other sites, and never writes', async () => {
    const { headers } = await form('/@login', { login: 'admin', password: 'admin' });
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/; HttpOnly; SameSite=Strict$/)]);
    const cookie = { Cookie: `canopy_session=${sessionOf(headers)}` };
    const change = await site.request('PATCH', '/open', { as: 'anonymous', json: { title: 'x' }, headers: cookie });
    expect(change.status).toBe(401);
    const read = await site.request('GET', '/open/secret', { as: 'anonymous', headers: cookie });
    expect(read.status).toBe(200);
  });

  it('a login of another site is rejected', async () => {
    const fields = { login: 'admin', password: 'admin' };
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'same-site', Origin: site.url },
    ]) {
      const { status, headers: sent } = await form('/@login', fields, headers);
      expect([status, sent.getSetCookie()]).toEqual([403, []]);
    }
  });

  it('a wrong password is named, and the password is not repeated', async () => {
    const { status, text, headers } = await form('/@login', { login: 'admin', password: 'wrong-one' });
    expect([status, headers.getSetCookie()]).toEqual([401, []]);
    expect(text).toMatch(/role="alert">Wrong login/);
    expect(text).not.toContain('wrong-one');
  });

  it('a login leads back to pages of this site only', async () => {
    for (const [from, to] of [
      ['/open/shown', '/open/shown'],
      ['//evil.example', '/'],
      ['/\\evil.example', '/'],
      ['https://evil.example', '/'],
    ]) {
      const address = `/@login?came_from=${encodeURIComponent(from ?? '')}`;
      const { headers } = await form(address, { login: 'admin', password: 'admin' });
      expect(headers.get('location')).toBe(to);
    }
  });

  it('a form that is too large is rejected', async () => {
    expect((await form('/@login', { login: 'x'.repeat(20_000), password: 'y' })).status).toBe(413);
  });
});

describe('the contents of a page', () => {
  it('children come a page at a time', async () => {
    await add('/', { '@type': 'Folder', id: 'many', title: 'Many' });
    for (let i = 1; i <= 27; i += 1) await add('/many', { '@type': PAGE, title: `Child ${i}.` });
    const session = await logIn();
    const first = await open('/many', { headers: session });
    expect(first.text.match(/>Child \d+\.</g)).toHaveLength(25);
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? '';
    const second = await open(next, { headers: session });
    expect(second.text.match(/>Child \d+\.</g)).toEqual(['>Child 26.<', '>Child 27.<']);
    expect(second.text).toContain('rel="prev"');
    const all = await open('/many?b_size=1000&fullobjects=1', { headers: session });
    expect(all.text.match(/>Child \d+\.</g)).toHaveLength(25);
  });

  it('blocks are read, and what they hold cannot become code', async () => {
    await add('/', {
      '@type': PAGE,
      id: 'blocks',
      title: 'Blocks',
      blocks: {
        a: { '@type': 'slate', value: [{ type: 'h2', children: [{ text: 'A heading & more' }] }] },
        b: { '@type': 'html', html: '<p onclick="x()">Kept<script>alert(1)</script></p>' },
        c: {
          '@type': 'slate',
          value: [
            {
              type: 'p',
              children: [{ type: 'link', data: { url: 'javascript:alert(1)' }, children: [{ text: 'go' }] }],
            },
          ],
        },
      },
      blocks_layout: { items: ['a', 'b', 'c'] },
    });
    const { text } = await open('/blocks', { headers: await logIn() });
    expect(text).toContain('<h2>A heading &amp; more</h2>');
    expect(text).toContain('Kept');
    expect(text).not.toMatch(/<script|onclick|javascript:/);
  });

  it('an old address leads to the new one with the query of the request', async () => {
    await add('/', { '@type': PAGE, id: 'before', title: 'Moved' });
    await site.request('PATCH', '/before', { json: { id: 'after' } });
    const { status, headers } = await open('/before?a=1', { headers: await logIn() });
    expect([status, headers.get('location')]).toEqual([302, `${site.url}/after?a=1`]);
  });

  it('files are sent as they are', async () => {
    const file = { data: 'hello', encoding: 'utf-8', filename: 'hello.txt', 'content-type': 'text/plain' };
    await add('/', { '@type': 'File', id: 'hello', title: 'Hello', file });
    const session = await logIn();
    expect((await open('/hello', { headers: session })).text).toContain('/hello/@@download/file');
    const { status, text } = await open('/hello/@@download/file', { headers: session });
    expect([status, text]).toEqual([200, 'hello']);
    const missing = await open('/hello/@@download/nothing', { headers: session });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it('the words are in the language that the reader has chosen', async () => {
    const chosen = await open('/open?page-language=sv');
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/open']);
    const cookie = chosen.headers.getSetCookie().join().split(';')[0] ?? '';
    const { text } = await open('/open', { headers: { Cookie: cookie, 'Accept-Language': 'en' } });
    expect(text).toContain('<html lang="sv">');
    expect(text).toContain('Logga in');
  });

  it('history, JSON and the API description are pages', async () => {
    const session = await logIn();
    expect((await open('/open/@history', { headers: session })).text).toContain('<table>');
    expect((await open('/open/@history')).status).toBe(401);
    expect((await open('/@site')).text).toContain('plone.site_title');
    const docs = await open('/@docs');
    expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const [, path = ''] of docs.text.matchAll(/(?:src|href)="(\/@@html-pages\/[^"]+)"/g)) {
      const asset = await site.request('GET', path, { as: 'anonymous', headers: { Accept: '*/*' } });
      expect([path, asset.status, asset.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect((await site.request('GET', '/@@html-pages/old/style.css', { as: 'anonymous' })).status).toBe(404);
  });
});
