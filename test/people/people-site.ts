import { groupsServices } from '../../src/services/groups/index.ts';
import { principalsServices } from '../../src/services/principals/index.ts';
import { rolesServices } from '../../src/services/roles/index.ts';
import { sharingServices } from '../../src/services/sharing/index.ts';
import { usersServices } from '../../src/services/users/index.ts';
import { writeConfiguration } from '../../src/storage/statements/configuration.ts';
import type { Engine } from '../support/engines.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';

export const PASSWORD = 'Long-enough-77!';

/** A site with the services of people, whether the registry has them already or not. */
export async function startPeopleSite(
  engine: Engine,
  options: Parameters<typeof startTestSite>[1] = {},
): Promise<TestSite> {
  const site = await startTestSite(engine, options);
  const { services } = site.server;
  const mine = [...usersServices, ...groupsServices, ...rolesServices, ...sharingServices, ...principalsServices];
  for (const service of mine) if (!services.all().includes(service)) services.register(service);
  return site;
}

/** Changes settings of a panel, as a control panel does. */
export async function changeSettings(site: TestSite, panel: string, values: Record<string, unknown>): Promise<void> {
  const { settings } = await site.kernel.sites.current();
  const data = { ...settings.get(panel), ...values };
  await writeConfiguration(site.kernel.db, [{ kind: 'setting', id: panel, position: 0, data }]);
}

/** What tests do with a site of people. */
export function peopleOf(site: () => TestSite) {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}${++made}`;
  const as = (login: string, password = PASSWORD) => ({ login, password });
  async function addUser(roles: string[] = [], more: Json = {}): Promise<string> {
    const username = more.username ?? fresh('user');
    const json = { username, password: PASSWORD, email: `${username}@example.org`, roles, ...more };
    const { status, text } = await site().request('POST', '/@users', { json });
    if (status !== 201) throw new Error(text);
    return username;
  }
  async function addGroup(data: Json = {}): Promise<string> {
    const groupname = data.groupname ?? fresh('group');
    const { status, text } = await site().request('POST', '/@groups', { json: { groupname, ...data } });
    if (status !== 201) throw new Error(text);
    return groupname;
  }
  const read = async (path: string): Promise<Json> => (await site().request('GET', path)).body;
  return { fresh, as, addUser, addGroup, read };
}
