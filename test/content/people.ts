import { loadAccount } from '../../src/core/people/accounts.ts';
import { issueSessionToken } from '../../src/core/people/session-tokens.ts';
import type { TestSite } from '../support/site.ts';

/** Adds a user without a password, which saves the time of a hash, and returns a token of the user. */
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

/** Returns a token of an existing user. */
export async function tokenOf(
  { server, kernel }: Pick<TestSite, 'kernel' | 'server'>,
  id: string,
): Promise<{ token: string }> {
  const account = await loadAccount(kernel.db, id);
  if (!account) throw new Error(`There is no user ${id}`);
  return { token: await issueSessionToken(server.auth, account) };
}
