import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import type { Json } from '../support/site.ts';
import type { SharedSite } from '../support/use-site.ts';

export const PASSWORD = 'Long-enough-77!';

/** Changes settings of a panel like a control panel. */
export async function changeSettings(site: SharedSite, panel: string, values: Record<string, unknown>): Promise<void> {
  const { settings } = await site.kernel.sites.current();
  const data = { ...settings.get(panel), ...values };
  await writeConfiguration(site.kernel.db, [{ kind: 'setting', id: panel, position: 0, data }]);
}

/** Helpers for tests with users and groups. */
export function peopleOf(site: SharedSite) {
  let made = 0;
  const fresh = (prefix: string) => `${prefix}${++made}`;
  const as = (login: string, password = PASSWORD) => ({ login, password });
  async function addUser(roles: string[] = [], more: Json = {}): Promise<string> {
    const username = more.username ?? fresh('user');
    const json = { username, password: PASSWORD, email: `${username}@example.org`, roles, ...more };
    const { status, text } = await site.request('POST', '/@users', { json });
    if (status !== 201) throw new Error(text);
    return username;
  }
  async function addGroup(data: Json = {}): Promise<string> {
    const groupname = data.groupname ?? fresh('group');
    const { status, text } = await site.request('POST', '/@groups', { json: { groupname, ...data } });
    if (status !== 201) throw new Error(text);
    return groupname;
  }
  const read = async (path: string): Promise<Json> => (await site.request('GET', path)).body;
  const status = async (...request: Parameters<SharedSite['request']>) => (await site.request(...request)).status;
  return { fresh, as, addUser, addGroup, read, status };
}
