import { hashPassword } from '../../../src/core/people/passwords.ts';
import { addPerson } from '../../content/people.ts';
import type { TestSite, Who } from '../../support/site.ts';
import { PASSWORD, PICTURE } from './belongings.ts';
import { CALLERS, type CallerName } from './row.ts';

/** A caller. `token` is the token of its session; empty for Anonymous. */
export type Caller = { name: CallerName; id: string; roles: string[]; token: string; as: Who };

const idOf = (name: CallerName): string => name.toLowerCase().replace(' ', '-');

/** Adds all callers, each with a password and a portrait. */
export async function addCallers(site: TestSite): Promise<Caller[]> {
  const callers: Caller[] = [{ name: 'Anonymous', id: 'nobody', roles: [], token: '', as: 'anonymous' }];
  for (const name of CALLERS.slice(1)) {
    const roles = name === 'Owner' || name === 'Member' ? ['Member'] : ['Member', name];
    const as = await addPerson(site, { id: idOf(name), roles });
    callers.push({ name, id: idOf(name), roles, token: as.token, as });
  }
  const portrait = await site.request('PATCH', '/@users/manager', { json: { portrait: PICTURE } });
  if (portrait.status !== 204) throw new Error(portrait.text);
  await site.kernel.db.query({
    text: `update account set password = $1, portrait = (select portrait from account where id = 'manager') where id = any($2)`,
    values: [await hashPassword(PASSWORD), callers.map(({ id }) => id)],
  });
  return callers;
}

/**
 * Saves the rows of the site root and of the callers. Returns a function that restores them and removes the callers from
 * groups.
 */
export async function remember({ kernel: { db } }: TestSite, callers: readonly Caller[]): Promise<() => Promise<void>> {
  const ids = callers.map(({ id }) => id);
  const [row] = await db.query<{ root: unknown; allowed: string[]; accounts: unknown }>({
    text: `select to_jsonb(c) as root, k.allowed, (select jsonb_agg(a) from account a where a.id = any($1)) as accounts
      from content c join catalog k using (oid) where c.path = '/'`,
    values: [ids],
  });
  if (!row) throw new Error('The site has no root');
  return async () => {
    await db.query({
      text: `with root as (
          update content c set review_state = s.review_state, lock = s.lock, local_roles = s.local_roles, fields = s.fields,
            blocks = s.blocks, blocks_layout = s.blocks_layout, text = s.text
            from jsonb_populate_record(null::content, $1::jsonb) s where s.oid = c.oid returning c.oid
        ), viewers as (
          update catalog k set allowed = $2 from root where root.oid = k.oid
        ), memberships as (
          delete from group_member where member_id = any($4)
        )
        update account a set login = s.login, password = s.password, fullname = s.fullname, roles = s.roles,
            tokens_valid_from = s.tokens_valid_from, portrait = s.portrait
          from jsonb_populate_recordset(null::account, $3::jsonb) s where s.id = a.id`,
      values: [JSON.stringify(row.root), row.allowed, JSON.stringify(row.accounts), ids],
    });
  };
}
