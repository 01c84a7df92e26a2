import { loadAccount } from '../../src/auth/accounts.ts';
import { issueSessionToken } from '../../src/auth/session-tokens.ts';
import type { TestSite } from '../support/site.ts';

/** Adds a user without a password and answers a token of hers: no test has to wait for a hash. */
export async function addPerson(
  { kernel, server }: Pick<TestSite, 'kernel' | 'server'>,
  { id, roles = ['Member'], groups = [] }: { id: string; roles?: string[]; groups?: string[] },
): Promise<{ token: string }> {
  await kernel.db.query({
    text: 'insert into account (id, login, fullname, roles) values ($1, $1, $2, $3)',
    values: [id, id, roles],
  });
  for (const group of groups) {
    await kernel.db.query({
      text: 'insert into principal_group (id) values ($1) on conflict do nothing',
      values: [group],
    });
    await kernel.db.query({
      text: 'insert into group_member (group_id, member_id) values ($1, $2)',
      values: [group, id],
    });
  }
  return tokenOf({ server, kernel }, id);
}

/** A token of a user that there is. */
export async function tokenOf(
  { server, kernel }: Pick<TestSite, 'kernel' | 'server'>,
  id: string,
): Promise<{ token: string }> {
  const account = await loadAccount(kernel.db, id);
  if (!account) throw new Error(`There is no user ${id}`);
  return { token: await issueSessionToken(server.auth, account) };
}
