import type { Engine } from '../support/engines.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';

const PASSWORD = 'a long password';

/** The people of the tests, with their roles at the root, which folders may keep out. */
const PEOPLE = {
  editor: ['Editor', 'Contributor'],
  publisher: ['Editor', 'Contributor', 'Reviewer'],
  reader: ['Reader'],
  member: [],
} as const;

type Person = keyof typeof PEOPLE | 'admin' | 'anonymous';

/** A site with people who make and publish releases. */
export type ReleasesSite = TestSite & {
  as(person: Person): 'admin' | 'anonymous' | { login: string; password: string };
  /** Sends a request to a release, or to all. */
  release(person: Person, method: string, path?: string, json?: Json): Promise<Exchange>;
  /** Makes a release with parts; returns its id. */
  make(person: Person, parts: Json[], title?: string): Promise<string>;
  /** A page that visitors see; returns its path. */
  page(title: string, values?: Json): Promise<string>;
  /** The token of a new preview link. */
  token(person: Person, id: string): Promise<string>;
  /** A GET with a token, as a visitor unless a person is given. */
  shown(token: string, path: string, person?: Person): Promise<Exchange>;
  read(path: string): Promise<Json>;
};

export async function startReleasesSite(
  engine: Engine,
  options: Parameters<typeof startTestSite>[1] = {},
): Promise<ReleasesSite> {
  const site = await startTestSite(engine, options);
  for (const username of Object.keys(PEOPLE))
    await site.request('POST', '/@users', {
      json: { username, email: `${username}@example.org`, password: PASSWORD, roles: ['Member'] },
    });
  const entries = Object.entries(PEOPLE).map(([id, roles]) => ({
    id,
    type: 'user',
    roles: Object.fromEntries(roles.map((role) => [role, true])),
  }));
  await site.request('POST', '/@sharing', { json: { entries } });
  const as = (person: Person) =>
    person === 'admin' || person === 'anonymous' ? person : { login: person, password: PASSWORD };
  const release: ReleasesSite['release'] = (person, method, path = '', json) =>
    site.request(method, `/@releases${path}`, { as: as(person), ...(json === undefined ? {} : { json }) });
  let pages = 0;
  return {
    ...site,
    as,
    release,
    async make(person, parts, title = 'A release') {
      const made = await release(person, 'POST', '', { title, ...(parts.length > 0 ? { parts } : {}) });
      if (made.status !== 201) throw new Error(made.text);
      return String(made.body.id);
    },
    async page(title, values = {}) {
      pages += 1;
      const path = `/page-${pages}`;
      const made = await site.request('POST', '/', {
        json: { '@type': 'Page', id: path.slice(1), title, ...values },
      });
      if (made.status !== 201) throw new Error(made.text);
      await site.request('POST', `${path}/@workflow/publish`, { json: {} });
      return path;
    },
    async token(person, id) {
      const made = await release(person, 'POST', `/${id}/preview-links`, {});
      if (made.status !== 201) throw new Error(made.text);
      return String(made.body.token);
    },
    shown: (token, path, person = 'anonymous') =>
      site.request('GET', `${path}${path.includes('?') ? '&' : '?'}preview_token=${token}`, { as: as(person) }),
    read: async (path) => (await site.request('GET', path)).body,
  };
}
