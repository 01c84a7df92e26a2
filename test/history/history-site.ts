import { KINDS } from '../../src/core/configuration/site/site.ts';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { addPerson } from '../content/people.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

export type Person = { id: string; token: string };

/** Helpers for tests with content, its versions and its states. */
export function contentOf(site: () => SharedSite) {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}-${++made}`;

  async function add(container = '/', data: Json = {}, who: Who = 'admin'): Promise<string> {
    const json = { '@type': PAGE, title: fresh('Thing'), ...data };
    const { status, text, body } = await site().request('POST', container, { as: who, json });
    if (status !== 201) throw new Error(text);
    return new URL(body['@id']).pathname;
  }
  async function edit(path: string, json: Json, who: Who = 'admin', headers: Record<string, string> = {}) {
    const { status, text } = await site().request('PATCH', path, { as: who, json, headers });
    if (status !== 204) throw new Error(text);
  }
  /** Creates a user with global roles, who authenticates with a token. */
  async function addUser(
    roles: string[] = [],
    { groups = [], fullname }: { groups?: string[]; fullname?: string } = {},
  ): Promise<Person> {
    const id = fresh('user');
    const { token } = await addPerson(site(), { id, roles, groups });
    if (fullname !== undefined) {
      const values = [id, fullname];
      await site().kernel.db.query({ text: 'update account set fullname = $2 where id = $1', values });
    }
    return { id, token };
  }
  /** Gives a user local roles. */
  async function share(path: string, { id }: Person, ...roles: string[]): Promise<void> {
    const entries = [{ id, roles: Object.fromEntries(roles.map((role) => [role, true])) }];
    const { status, text } = await site().request('POST', `${path}/@sharing`, { json: { entries } });
    if (status !== 204) throw new Error(text);
  }
  /** Stops the inheritance of local roles. */
  const isolate = (path: string) =>
    site().request('POST', `${path}/@sharing`, { json: { entries: [], inherit: false } });
  const read = async (path: string, who: Who = 'admin'): Promise<Json> =>
    (await site().request('GET', path, { as: who })).body;
  const versions = async (path: string): Promise<Json[]> =>
    (await read(`${path}/@history`)).filter(({ type }: Json) => type === 'versioning');
  const transition = (path: string, name: string, json: Json = {}, as: Who = 'admin') =>
    site().request('POST', `${path}/@workflow/${name}`, { as, json });
  const go = async (path: string, name: string, json: Json = {}, as: Who = 'admin'): Promise<Json> => {
    const { status, text, body } = await transition(path, name, json, as);
    if (status !== 200) throw new Error(text);
    return body;
  };
  /** Changes an item of the configuration, as a control panel would. */
  async function configure(kind: string, id: string, change: (data: Json) => Json): Promise<void> {
    const { db, sites } = site().kernel;
    const rows = await db.query<{ position: number; data: Json }>({
      text: 'select position, data from configuration where kind = $1 and id = $2',
      values: [kind, id],
    });
    const { position, data } = rows[0] ?? { position: 0, data: {} };
    await db.transaction((tx) => writeConfiguration(tx, [{ kind, id, position, data: change(data) }]));
    await sites.current();
  }
  const setting = (panel: string, values: Json) => configure(KINDS.setting, panel, (data) => ({ ...data, ...values }));
  return { add, edit, addUser, share, isolate, read, versions, transition, go, configure, setting };
}
