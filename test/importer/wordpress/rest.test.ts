import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { wordpressReader } from '@canopy-server/wordpress-export';
import { expect, it, onTestFinished } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, messages, run, stored } from '../import-helpers.ts';
import { folderOf } from '../markdown/folder.ts';
import { content, DOT, LOGIN, media, startOldServer } from './old-server.ts';

describeEachEngine('a site of WordPress, by REST', (engine) => {
  const bring = (kernel: Kernel, url: string, readerOptions: Record<string, string> = {}, more = {}) =>
    run(kernel, url, { reader: wordpressReader, readerOptions, ...more });
  const login = async (): Promise<Record<string, string>> => {
    const folder = await folderOf({ password: `${LOGIN.password}\n` });
    return { user: LOGIN.user, 'password-file': join(folder, 'password') };
  };

  it('Visitors get what is published, with its files; the rest is reported.', async () => {
    const { kernel } = await freshSite(engine);
    const { url, base } = await startOldServer();
    expect([await wordpressReader.recognises(url), await wordpressReader.recognises(base)]).toEqual([true, false]);
    const summary = await bring(kernel, url);
    const objects = await stored(kernel);
    expect([...objects.keys()].filter((path) => path !== '/').sort()).toEqual([
      ...['/about', '/about/team', '/blog', '/blog/a-post', '/blog/secret', '/imprint'],
      ...['/media', '/media/dot.png', '/media/lost.png'],
    ]);
    expect(objects.get('/about')?.fields).toMatchObject({ title: 'About – us' });
    const post = objects.get('/blog/a-post');
    expect(post).toMatchObject({
      ...{ type: 'News Item', state: 'published', owner: 'ann', effective: new Date('2024-05-01T10:00:00Z') },
      fields: {
        ...{ title: 'A post & more', description: 'In short', subjects: ['News & more', 'small'], mood: 'glad' },
        preview_image: { width: 1 },
      },
    });
    expect(JSON.stringify(post?.fields)).toContain(`resolveuid/${objects.get('/about/team')?.uid}`);
    expect(JSON.stringify(post?.fields)).toContain(`resolveuid/${objects.get('/media/dot.png')?.uid}`);
    expect(objects.get('/media/dot.png')?.fields).toMatchObject({ image: { width: 1 } });
    expect(objects.get('/blog/secret')?.state).toBe('private');
    expect([summary.users.created, summary.comments.created]).toEqual([1, 1]);
    const said = messages(summary).join('\n');
    for (const part of [
      ...[
        'Without a login',
        'behind a password',
        'lost.png was not downloaded: the old server answers 404',
        'type book (2)',
      ],
      ...['does not offer menus', 'does not offer the redirects', 'The value parts', 'Terms of genre'],
    ])
      expect(said).toContain(part);
    const redirects = await kernel.db.query<{ path: string }>({ text: 'select path from redirect order by path' });
    expect(redirects.map(({ path }) => path)).toContain('/2024/05/a-post');
    const again = await bring(kernel, url, {}, { again: 'stop' });
    expect(again.again?.counts).toMatchObject({
      added: 0,
      changed: 0,
      moved: 0,
      removed: 0,
      reordered: 0,
      conflicts: 0,
    });
  });

  it('With a login drafts, menus and redirects come, and the menu is the navigation.', async () => {
    const { kernel } = await freshSite(engine);
    const { url } = await startOldServer();
    const summary = await bring(kernel, url, await login());
    const objects = await stored(kernel);
    expect(objects.get('/blog/draft')?.state).toBe('private');
    expect(objects.get('/about')?.fields).toMatchObject({ nav_title: 'Who we are' });
    expect(objects.get('/elsewhere')).toMatchObject({
      ...{ type: 'Link', state: 'published', fields: { title: 'Elsewhere', remoteUrl: 'https://example.org/' } },
    });
    expect(JSON.stringify(objects.get('/a-post')?.fields.remoteUrl)).toContain(objects.get('/blog/a-post')?.uid);
    expect(objects.get('/about/team')?.fields).toMatchObject({ nav_title: 'The team' });
    expect(objects.get('/media')?.fields).toMatchObject({ exclude_from_nav: true });
    const order = await kernel.db.query<{ name: string }>({
      text: `select c.name from content c join content p on p.oid = c.parent where p.path = '/' order by c.position`,
    });
    const names = order.map(({ name }) => name);
    expect(names.filter((name) => ['imprint', 'about', 'elsewhere', 'a-post'].includes(name))).toEqual([
      ...['imprint', 'about', 'elsewhere', 'a-post'],
    ]);
    const redirects = await kernel.db.query<{ path: string }>({ text: 'select path from redirect order by path' });
    expect(redirects.map(({ path }) => path)).toContain('/old-about');
    const said = messages(summary).join('\n');
    for (const part of ['"News" of the menu leads to a list', 'is a link at /elsewhere', 'by patterns', 'first page'])
      expect(said).toContain(part);
    expect(said).not.toContain('Without a login');
  });

  it('Lists are read page by page, and an object that comes twice is taken once.', async () => {
    const { kernel } = await freshSite(engine);
    const { url, base, lists, requests } = await startOldServer();
    lists.pages = Array.from({ length: 105 }, (_, at) => content(base, 1000 + at, `page-${at}`));
    lists.pages.push(content(base, 1000, 'page-0'));
    await bring(kernel, url, { media: 'none' });
    expect([...(await stored(kernel)).keys()].filter((path) => path.startsWith('/page-'))).toHaveLength(105);
    expect(requests.filter((one) => one.includes('/pages?')).length).toBe(2);
    expect(requests.some((one) => one.includes('/wp-content/'))).toBe(false);
  });

  it('A file that a second run can have comes into its object.', async () => {
    const { kernel } = await freshSite(engine);
    let isThere = false;
    const { url } = await startOldServer((request, response) => {
      if (!isThere || !request.url?.endsWith('/lost.png')) return false;
      response.writeHead(200, { 'content-type': 'image/png' }).end(DOT);
      return true;
    });
    await bring(kernel, url);
    expect((await stored(kernel)).get('/media/lost.png')?.fields.image ?? null).toBeNull();
    isThere = true;
    const second = await bring(kernel, url);
    expect((await stored(kernel)).get('/media/lost.png')?.fields).toMatchObject({ image: { width: 1 } });
    expect(second.files.created).toBe(1);
  });

  it('Files never come from private networks, nor as pages, nor in part; each is reported.', async () => {
    const { kernel } = await freshSite(engine);
    const inside = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(DOT));
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void inside.close());
    const address = inside.address();
    const other = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
    const { url, base, lists } = await startOldServer((request, response) => {
      const name = /uploads\/2024\/04\/(\w+)\.png$/.exec(request.url ?? '')?.[1];
      if (name === 'away') response.writeHead(302, { location: `${other}/a.png` }).end();
      else if (name === 'loop') response.writeHead(302, { location: request.url ?? '' }).end();
      else if (name === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
      else if (name === 'half') {
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '500' }).write(DOT);
        setTimeout(() => response.destroy(), 20);
      } else if (name === 'slow')
        response.writeHead(200, { 'content-type': 'image/png', 'content-length': '500' }).write(DOT);
      else return false;
      return true;
    });
    lists.media = [
      ...['away', 'loop', 'page', 'half', 'slow'].map((name, at) => media(base, 200 + at, `${name}.png`)),
      media(base, 210, 'inner.png', { source_url: `${other}/inner.png` }),
      media(base, 211, 'meta.png', { source_url: 'http://169.254.169.254/meta.png' }),
    ];
    const summary = await bring(kernel, url, { timeout: '0.5' });
    const said = messages(summary);
    const of = (name: string) => said.find((line) => line.includes(`/${name}.png was not downloaded`)) ?? '';
    for (const name of ['away', 'inner', 'meta']) expect(of(name)).toContain('private network');
    expect(of('loop')).toContain('redirects more than 5 times');
    expect(of('page')).toContain('it is text/html');
    expect(of('half')).toContain('the connection was cut');
    expect(of('slow')).toContain('no data came for 0.5 seconds');
    const objects = await stored(kernel);
    for (const name of ['away', 'inner', 'meta', 'half', 'slow'])
      expect(objects.get(`/media/${name}.png`)?.fields.image ?? null).toBeNull();
    const { kernel: open } = await freshSite(engine);
    await bring(open, url, { timeout: '0.5', addresses: 'any' });
    expect((await stored(open)).get('/media/away.png')?.fields).toMatchObject({ image: { width: 1 } });
  });

  it('A site that cannot be read ends the import with one line, and leaves nothing.', async () => {
    const { kernel } = await freshSite(engine);
    const answers: Record<string, (response: ServerResponse) => void> = {
      closed: (response) =>
        response
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"code":"rest_not_logged_in","message":"You are not logged in.","data":{"status":401}}'),
      page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>A shop</p>'),
      other: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"namespaces":[]}'),
      broken: (response) => response.writeHead(500).end('oops'),
      silent: () => {},
    };
    for (const [kind, expected] of [
      ['closed', /answers 401 \(rest_not_logged_in: You are not logged in\.\)\. Give a login/],
      ['page', /it is no JSON/],
      ['other', /is not REST of WordPress/],
      ['broken', /it answers 500/],
      ['silent', /no data came for 0\.2 seconds/],
    ] as const) {
      const { url } = await startOldServer((request, response) => {
        if (!request.url?.startsWith('/wp-json')) return false;
        answers[kind]?.(response);
        return true;
      });
      await expect(bring(kernel, url, { timeout: '0.2' }), kind).rejects.toThrow(expected);
    }
    await expect(bring(kernel, 'http://127.0.0.1:9/wp-json')).rejects.toThrow(/cannot be read: .*ECONNREFUSED/);
    expect((await stored(kernel)).size).toBe(1);
  });

  it('A busy server is asked again, and a login goes to no other host.', async () => {
    const { kernel } = await freshSite(engine);
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'image/png' }).end(DOT);
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const address = other.address();
    const host = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
    let busy = 2;
    const { url, base, lists } = await startOldServer((request, response) => {
      if (!request.url?.includes('/posts') || busy === 0) return false;
      busy -= 1;
      response.writeHead(503, { 'retry-after': '0' }).end();
      return true;
    });
    lists.media = [media(base, 30, 'dot.png', { source_url: `${host}/dot.png` })];
    await bring(kernel, url, { ...(await login()), addresses: 'any' });
    expect((await stored(kernel)).has('/blog/a-post')).toBe(true);
    expect(seen).toEqual([undefined]);
  });

  it('Options that do not fit are refused.', async () => {
    const { kernel } = await freshSite(engine);
    const { url } = await startOldServer();
    await expect(bring(kernel, url, { user: 'ann' })).rejects.toThrow(/belong together/);
    await expect(bring(kernel, url, { timeout: 'soon' })).rejects.toThrow(/takes seconds/);
    await expect(bring(kernel, url, { user: 'ann', 'password-file': '/nowhere/at/all' })).rejects.toThrow(
      /cannot be read/,
    );
    await expect(bring(kernel, url, { menu: 'side', ...(await login()) })).rejects.toThrow(/The menus: main/);
  });

  it('Files of an export are downloaded only when that is asked for.', async () => {
    const { kernel } = await freshSite(engine);
    const { base, requests } = await startOldServer();
    const item = (id: number, name: string) =>
      `<item><title>${name}</title><wp:post_id>${id}</wp:post_id><wp:post_type>attachment</wp:post_type><wp:status>inherit</wp:status>` +
      `<wp:attachment_url>${base}/wp-content/uploads/2024/04/${name}</wp:attachment_url></item>`;
    const folder = await folderOf({
      'export.xml': `<rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:base_blog_url>${base}</wp:base_blog_url>${item(1, 'dot.png')}${item(2, 'lost.png')}</channel></rss>`,
    });
    const file = join(folder, 'export.xml');
    const first = await bring(kernel, file);
    expect(requests).toEqual([]);
    expect(messages(first).join('\n')).toContain('or give --reader-option media=fetch');
    const guarded = await bring(kernel, file, { media: 'fetch' });
    expect(messages(guarded).join('\n')).toContain('private network');
    const second = await bring(kernel, file, { media: 'fetch', addresses: 'any' });
    expect((await stored(kernel)).get('/media/dot.png')?.fields).toMatchObject({ image: { width: 1 } });
    expect(messages(second).join('\n')).toContain('lost.png was not downloaded: the old server answers 404');
  });
});
