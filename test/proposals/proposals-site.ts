import type { Engine } from '../support/engines.ts';
import { type Exchange, type Json, startTestSite, type TestSite } from '../support/site.ts';

const PASSWORD = 'a long password';

/** The people of the tests, with their roles at the root, which folders may keep out. */
const PEOPLE = {
  reader: ['Reader'],
  editor: ['Editor', 'Contributor', 'Reviewer'],
  other: ['Editor', 'Contributor', 'Reviewer'],
  contributor: ['Contributor'],
  member: [],
} as const;

export type Person = keyof typeof PEOPLE | 'admin';
type Role = Person | 'anonymous';

/** A site with people who propose and approve. */
export type ProposalsSite = TestSite & {
  as(person: Role): 'admin' | 'anonymous' | { login: string; password: string };
  propose(person: Role, requests: Json[], more?: Json, at?: string): Promise<Exchange>;
  proposal(person: Role, id: string): Promise<Exchange>;
  decide(person: Role, id: string, what: string, json?: Json): Promise<Exchange>;
  /** A page that visitors see; returns its path. */
  page(title: string, values?: Json): Promise<string>;
  read(path: string): Promise<Json>;
};

export async function startProposalsSite(
  engine: Engine,
  options: Parameters<typeof startTestSite>[1] = {},
): Promise<ProposalsSite> {
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
  const as = (person: Role) =>
    person === 'admin' || person === 'anonymous' ? person : { login: person, password: PASSWORD };
  let pages = 0;
  return {
    ...site,
    as,
    propose: (person, requests, more = {}, at = '') =>
      site.request('POST', `${at}/@proposals`, { as: as(person), json: { title: 'A proposal', requests, ...more } }),
    proposal: (person, id) => site.request('GET', `/@proposals/${id}`, { as: as(person) }),
    decide: (person, id, what, json = {}) =>
      site.request('POST', `/@proposals/${id}/${what}`, { as: as(person), json }),
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
    read: async (path) => (await site.request('GET', path)).body,
  };
}
