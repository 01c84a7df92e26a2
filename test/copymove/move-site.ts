import { addPerson } from '../content/people.ts';
import type { Engine } from '../support/engines.ts';
import { type Exchange, type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

/** A site with helpers for tests of copying and moving. */
export type MoveSite = TestSite & {
  /** Creates content and returns its path. */
  add(container: string, id: string, fields?: Record<string, unknown>): Promise<string>;
  read(path: string): Promise<Json>;
  copy(target: string, source: unknown, as?: Who): Promise<Exchange>;
  move(target: string, source: unknown, as?: Who): Promise<Exchange>;
  share(path: string, user: string, ...roles: string[]): Promise<void>;
  publish(path: string): Promise<void>;
  person(id: string, roles?: string[]): Promise<{ token: string }>;
  childIds(path: string): Promise<string[]>;
};

const expectStatus = (exchange: Exchange, status: number): Exchange => {
  if (exchange.status !== status)
    throw new Error(`${exchange.status} instead of ${status}: ${exchange.text.slice(0, 300)}`);
  return exchange;
};

/** Starts such a site. */
export async function startMoveSite(engine: Engine): Promise<MoveSite> {
  const site = await startTestSite(engine);
  const relocate =
    (service: string) =>
    (target: string, source: unknown, as: Who = 'admin') =>
      site.request('POST', `${target === '/' ? '' : target}/${service}`, { as, json: { source } });
  const read = async (path: string) => expectStatus(await site.request('GET', path), 200).body;
  return {
    ...site,
    async add(container, id, fields = {}) {
      const json = { '@type': 'Folder', title: id, id, ...fields };
      const { body } = expectStatus(await site.request('POST', container, { json }), 201);
      return String(body['@id']).slice(site.url.length);
    },
    read,
    copy: relocate('@copy'),
    move: relocate('@move'),
    async share(path, user, ...roles) {
      const entry = { id: user, type: 'user', roles: Object.fromEntries(roles.map((role) => [role, true])) };
      expectStatus(await site.request('POST', `${path}/@sharing`, { json: { entries: [entry], inherit: true } }), 204);
    },
    async publish(path) {
      expectStatus(await site.request('POST', `${path}/@workflow/publish`, { json: {} }), 200);
    },
    person: (id, roles = ['Member']) => addPerson(site, { id, roles }),
    childIds: async (path) => (await read(path)).items.map((item: Json) => item.id),
  };
}
