import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

type Fields = Record<string, unknown>;

/** A picture of one pixel. */
export const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const LOGIN = { user: 'ann', password: 'abcd efgh ijkl mnop' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;

const rendered = (html: string, raw = html) => ({ rendered: html, raw });

/** A post or a page as WordPress describes it. */
export const content = (base: string, id: number, slug: string, more: Fields = {}): Fields => ({
  ...{ id, slug, link: `${base}/${slug}/`, status: 'publish', type: 'page', parent: 0, menu_order: 0 },
  ...{ date: '2024-05-01T12:00:00', date_gmt: '2024-05-01T10:00:00' },
  ...{ modified: '2024-05-02T12:00:00', modified_gmt: '2024-05-02T10:00:00' },
  title: rendered(`Page ${id}`),
  content: { ...rendered(`<p>Text of ${id}</p>`), protected: false },
  excerpt: { ...rendered(''), protected: false },
  ...{ author: 7, featured_media: 0, meta: [], template: '' },
  ...more,
});

/** A file as WordPress describes it. */
export const media = (base: string, id: number, name: string, more: Fields = {}): Fields => ({
  ...{
    id,
    slug: name.replace(/\..*/, ''),
    link: `${base}/${name.replace(/\..*/, '')}/`,
    status: 'inherit',
    type: 'attachment',
  },
  ...{ date: '2024-04-01T12:00:00', date_gmt: '2024-04-01T10:00:00', modified: '2024-04-01T12:00:00' },
  ...{ title: rendered(name), author: 7, caption: rendered(''), description: rendered(''), alt_text: 'A dot' },
  ...{ mime_type: 'image/png', source_url: `${base}/wp-content/uploads/2024/04/${name}`, meta: [] },
  ...more,
});

/** The lists of a small site. */
const smallSite = (base: string): Record<string, Fields[]> => ({
  users: [{ id: 7, slug: 'ann', name: 'Ann Smith', username: 'ann', email: 'ann@example.org' }],
  categories: [{ id: 3, slug: 'news', name: 'News &amp; more', taxonomy: 'category', parent: 0, description: '' }],
  tags: [{ id: 4, slug: 'small', name: 'small', taxonomy: 'post_tag', description: '' }],
  media: [media(base, 30, 'dot.png'), media(base, 31, 'lost.png')],
  pages: [
    content(base, 10, 'about', { title: rendered('About &#8211; us') }),
    content(base, 11, 'team', { parent: 10, link: `${base}/about/team/` }),
    content(base, 12, 'imprint'),
  ],
  posts: [
    content(base, 20, 'a-post', {
      ...{ type: 'post', link: `${base}/2024/05/a-post/`, categories: [3], tags: [4], genres: [9], featured_media: 30 },
      ...{ title: rendered('A post &amp; more', 'A post & more') },
      content: {
        ...rendered(
          `<p>See <a href="${base}/about/team/">the team</a>.</p><figure><img src="${base}/wp-content/uploads/2024/04/dot-300x200.png" alt="A dot"></figure>`,
        ),
        protected: false,
      },
      excerpt: rendered('<p>In short</p>'),
      meta: { mood: 'glad', parts: { a: 1 } },
    }),
    content(base, 21, 'secret', { type: 'post', content: { rendered: '', protected: true } }),
    content(base, 22, 'draft', { type: 'post', status: 'draft', link: `${base}/?p=22` }),
  ],
  comments: [
    {
      ...{ id: 50, post: 20, parent: 0, author: 0, author_name: 'Reader', author_url: '', status: 'approved' },
      ...{ date: '2024-06-01T10:00:00', date_gmt: '2024-06-01T08:00:00', type: 'comment' },
      content: { rendered: '<p>Fine &amp; good</p>' },
    },
  ],
  books: [{ id: 90 }, { id: 91 }],
  menus: [{ id: 5, slug: 'main', name: 'Main menu', locations: ['primary'] }],
  'menu-items': [
    menuEntry(101, 1, { title: rendered('Imprint'), object: 'page', object_id: 12, type: 'post_type' }),
    menuEntry(102, 2, { title: rendered('Who we are'), object: 'page', object_id: 10, type: 'post_type' }),
    menuEntry(103, 3, { title: rendered('The team'), object: 'page', object_id: 11, type: 'post_type', parent: 102 }),
    menuEntry(104, 4, { title: rendered('Elsewhere'), type: 'custom', url: 'https://example.org/' }),
    menuEntry(105, 5, { title: rendered('A post'), object: 'post', object_id: 20, type: 'post_type' }),
    menuEntry(106, 6, { title: rendered('News'), object: 'category', object_id: 3, type: 'taxonomy' }),
    menuEntry(107, 7, { title: rendered('Home'), type: 'custom', url: `${base}/` }),
  ],
});

function menuEntry(id: number, order: number, more: Fields): Fields {
  return { id, menu_order: order, menus: 5, parent: 0, status: 'publish', url: '', ...more };
}

type OldServer = { base: string; url: string; requests: string[]; lists: Record<string, Fields[]> };

/** A server that answers as WordPress does. `serve` may answer a request first, and returns true then. */
export async function startOldServer(
  serve: (request: IncomingMessage, response: ServerResponse, base: string) => boolean = () => false,
): Promise<OldServer> {
  const requests: string[] = [];
  let lists: Record<string, Fields[]> = {};
  let base = '';
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', base);
    requests.push(`${url.pathname}${url.search}`);
    if (serve(request, response, base)) return;
    const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
        .end(JSON.stringify(body));
    const isIn = request.headers.authorization === AUTHORIZATION;
    const refused = () =>
      json(401, { code: 'rest_forbidden', message: 'Sorry, you are not allowed to do that.', data: { status: 401 } });
    const name = /^\/wp-json\/wp\/v2\/([\w-]+)$/.exec(url.pathname)?.[1];
    if (url.pathname === '/wp-content/uploads/2024/04/dot.png') {
      response.writeHead(200, { 'content-type': 'image/png' }).end(DOT);
    } else if (url.pathname === '/wp-json/') {
      json(200, { name: 'Old', home: base, url: base, namespaces: ['oembed/1.0', 'wp/v2', 'redirection/v1'] });
    } else if (url.pathname === '/wp-json/redirection/v1/redirect') {
      if (!isIn) refused();
      else
        json(200, {
          total: 2,
          items: [
            {
              id: 1,
              url: '/old-about/',
              action_type: 'url',
              action_data: { url: '/about/' },
              regex: false,
              enabled: true,
            },
            { id: 2, url: '^/x', action_type: 'url', action_data: { url: '/' }, regex: true, enabled: true },
          ],
        });
    } else if (name === 'types') {
      json(200, {
        post: { slug: 'post', rest_base: 'posts', rest_namespace: 'wp/v2' },
        wp_block: { slug: 'wp_block', rest_base: 'blocks', rest_namespace: 'wp/v2' },
        book: { slug: 'book', rest_base: 'books', rest_namespace: 'wp/v2' },
      });
    } else if (name === 'taxonomies') {
      json(200, {
        category: { slug: 'category', rest_base: 'categories' },
        post_tag: { slug: 'post_tag', rest_base: 'tags' },
        genre: { slug: 'genre', rest_base: 'genres' },
      });
    } else if (name !== undefined && Object.hasOwn(lists, name)) {
      const needsLogin = /^menu/.test(name) || url.searchParams.get('context') === 'edit';
      if (needsLogin && !isIn) return refused();
      const all = (lists[name] ?? []).filter(({ status }) => isIn || status !== 'draft');
      const shown = all.map((one) => (isIn ? one : withoutRaw(one)));
      const size = Number(url.searchParams.get('per_page') ?? 10);
      const page = Number(url.searchParams.get('page') ?? 1);
      const pages = Math.ceil(shown.length / size);
      if (page > Math.max(1, pages))
        return json(400, { code: 'rest_post_invalid_page_number', message: 'No such page.', data: { status: 400 } });
      json(200, shown.slice((page - 1) * size, page * size), {
        ...{ 'x-wp-total': String(shown.length), 'x-wp-totalpages': String(pages) },
      });
    } else json(404, { code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  lists = smallSite(base);
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { base, url: `${base}/wp-json`, requests, lists };
}

/** An object as visitors get it: without texts as they were written, and without what is private of users. */
function withoutRaw(object: Fields): Fields {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      if (key === 'email' || key === 'username') return [];
      if (typeof value !== 'object' || value === null || !('raw' in value)) return [[key, value]];
      const { raw: _raw, ...shown } = value;
      return [[key, shown]];
    }),
  );
}
