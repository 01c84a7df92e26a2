import { PAGE } from '../support/profiles.ts';
import type { Json, TestSite, Who } from '../support/site.ts';

/** Helpers of tests that look at what was recorded and undo it. */
export function transactionsOf(site: () => Pick<TestSite, 'request' | 'kernel'>) {
  let made = 0;
  const request: TestSite['request'] = (...args) => site().request(...args);
  const list = async (query = ''): Promise<Json[]> => (await request('GET', `/@transactions${query}`)).body;
  const newest = async (): Promise<Json> => (await list('?b_size=1'))[0];
  const undo = (transactions: readonly Json[], as: Who = 'admin') =>
    request('PATCH', '/@transactions', { as, json: { transaction_ids: transactions.map(({ id }) => id) } });
  /** Sends a request that has to pass, and returns what was recorded of it. */
  async function change(method: string, path: string, json?: Json, as: Who = 'admin'): Promise<Json> {
    const before = await newest();
    const { status, text } = await request(method, path, { as, ...(json === undefined ? {} : { json }) });
    if (status >= 400) throw new Error(text);
    const after = await newest();
    if (before?.id === after.id) throw new Error(`${method} ${path} was not recorded`);
    return after;
  }
  /** Adds content; returns its path and what was recorded of it. */
  async function add(container: string, json: Json = {}): Promise<{ path: string; UID: string; added: Json }> {
    made += 1;
    const { status, text, body } = await request('POST', container, {
      json: { '@type': PAGE, title: `Thing ${made}`, ...json },
    });
    if (status !== 201) throw new Error(text);
    return { path: new URL(body['@id']).pathname, UID: body.UID, added: await newest() };
  }
  const read = async (path: string): Promise<Json> => (await request('GET', path)).body;
  const status = async (path: string) => (await request('GET', path)).status;
  return { request, list, newest, undo, change, add, read, status };
}
