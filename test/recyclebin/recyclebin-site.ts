import { PAGE } from '../support/profiles.ts';
import type { Json, TestSite, Who } from '../support/site.ts';

const PASSWORD = 'Long-enough-77!';

/** Helpers of tests that delete and restore content. */
export function binOf(site: () => Pick<TestSite, 'request' | 'kernel'>) {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}${++made}`;
  const request: TestSite['request'] = (...args) => site().request(...args);
  async function add(container: string, type = PAGE, json: Json = {}, as: Who = 'admin'): Promise<Json> {
    const made = await request('POST', container, { as, json: { '@type': type, title: fresh('Thing '), ...json } });
    if (made.status !== 201) throw new Error(made.text);
    return { ...made.body, path: new URL(made.body['@id']).pathname };
  }
  async function user(container?: string, roles: Json = { Contributor: true, Editor: true }): Promise<Who> {
    const login = fresh('user');
    const json = { username: login, password: PASSWORD, email: `${login}@example.org`, roles: [] };
    const { status, text } = await request('POST', '/@users', { json });
    if (status !== 201) throw new Error(text);
    if (container !== undefined) {
      const shared = await request('POST', `${container}/@sharing`, {
        json: { entries: [{ id: login, type: 'user', roles }] },
      });
      if (shared.status !== 204) throw new Error(shared.text);
    }
    return { login, password: PASSWORD };
  }
  const list = async (query = '', as: Who = 'admin'): Promise<Json> =>
    (await request('GET', `/@recyclebin${query}`, { as })).body;
  /** Deletes content and returns its entry. */
  async function remove({ path }: Json, as: Who = 'admin'): Promise<Json> {
    const { status, text } = await request('DELETE', path, { as });
    if (status !== 204) throw new Error(text);
    const { items } = await list(`?path=${encodeURIComponent(path)}`, as);
    return items.find((entry: Json) => entry.path === path);
  }
  const restore = (entry: Json, json: Json = {}, as: Who = 'admin') =>
    request('POST', `/@recyclebin/${entry.recycle_id}/restore`, { as, json });
  const read = async (path: string, as: Who = 'admin'): Promise<Json> => (await request('GET', path, { as })).body;
  const status = async (path: string, as: Who = 'admin') => (await request('GET', path, { as })).status;
  const rows = <R extends object = Json>(text: string, values: unknown[] = []) =>
    site().kernel.db.query<R>({ text, values });
  return { fresh, add, user, list, remove, restore, read, status, rows, request };
}
