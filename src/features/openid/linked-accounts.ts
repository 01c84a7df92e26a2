import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { loadAccount } from '../../auth/accounts.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { BadRequest, NotFound } from '../../lib/errors.ts';
import { MANAGE_USERS } from '../../security/permissions.ts';
import { defineService, isLoggedIn, noContent, ok, type RequestContext, type Service } from '../../services/service.ts';
import type { Transaction } from '../../storage/database.ts';
import { changePeople, requireAuthority } from '../people/authority.ts';
import { requireProfile } from '../people/people-json.ts';
import { updateAccount } from '../people/statements/accounts.ts';
import { removeMembers } from '../people/statements/groups.ts';
import { type LinkedAccount, linkedAccounts, removeProviderAccount } from './statements.ts';

/** A name for a link: subjects may be long, and have any character. */
const idOf = ({ issuer, subject }: Pick<LinkedAccount, 'issuer' | 'subject'>): string =>
  createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 16);

/** The user who asks. Only users who are logged in get here. */
function userOf({ caller }: RequestContext): string {
  if (caller.id === null) throw new Error('Accounts were asked for by nobody');
  return caller.id;
}

/** Unlinks an account, with the roles and groups that the claims of its provider have given to the user. */
async function unlink(tx: Transaction, user: string, linked: LinkedAccount): Promise<void> {
  const { ownRoles } = await requireProfile(tx, user);
  await updateAccount(tx, user, { roles: ownRoles.filter((role) => !linked.roles.includes(role)) });
  for (const group of linked.groups) await removeMembers(tx, group, { ids: [user], isGroup: false });
  await removeProviderAccount(tx, linked);
}

/** Unlinks all accounts of a user; returns whether there were any. */
const unlinkAll = (kernel: Kernel, user: string): Promise<boolean> =>
  changePeople(kernel, async ({ tx }) => {
    const all = await linkedAccounts(tx, user);
    for (const linked of all) await unlink(tx, user, linked);
    return all.length > 0;
  });

/** GET `@provider-accounts`: what the user logs in with elsewhere. */
const getLinked = defineService({
  name: '@provider-accounts',
  method: 'GET',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  tag: 'login',
  summary: 'Lists the accounts with providers that are linked with the user who asks.',
  responses: {
    200: {
      description: 'The accounts.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        items: Type.Array(
          Type.Object({
            '@id': Type.String({ format: 'uri' }),
            id: Type.String(),
            issuer: Type.String({ description: 'The address of the provider.' }),
            subject: Type.String({ description: 'Who the user is there.' }),
          }),
        ),
      }),
    },
  },
  async run(context) {
    const url = `${context.base}/@provider-accounts`;
    const items = (await linkedAccounts(context.db, userOf(context))).map(({ issuer, subject }) => {
      const id = idOf({ issuer, subject });
      return { '@id': `${url}/${id}`, id, issuer, subject };
    });
    return ok({ '@id': url, items });
  },
});

/** DELETE `@provider-accounts/<id>`: the user does not log in with it any more. */
const deleteLinked = defineService({
  name: '@provider-accounts',
  method: 'DELETE',
  context: 'site',
  permission: null,
  checkPermission: isLoggedIn,
  inPerson: true,
  tag: 'login',
  summary: 'Unlinks an account with a provider from the user who asks.',
  rest: ['{account}'],
  responses: {
    204: { description: 'Unlinked. What its claims gave, roles and groups, is gone with it.' },
    400: { description: 'The user has no password and could not log in any more.' },
    404: { description: 'The user has no such account.' },
  },
  async run(context) {
    const { kernel, params } = context;
    const user = userOf(context);
    await changePeople(kernel, async ({ tx }) => {
      const all = await linkedAccounts(tx, user);
      const linked = all.find((one) => idOf(one) === params.account);
      if (!linked) throw new NotFound(`/@provider-accounts/${params.account}`);
      if (all.length === 1 && (await loadAccount(tx, user))?.password === null)
        throw new BadRequest('You could not log in any more: choose a password first.');
      await unlink(tx, user, linked);
    });
    return noContent();
  },
});

/** DELETE `@users/<id>/@provider-accounts`: for those who manage users. */
const deleteLinkedOf = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  inPerson: true,
  tag: 'login',
  summary: 'Unlinks all accounts with providers from a user.',
  rest: ['{id}/@provider-accounts'],
  responses: {
    204: { description: 'Unlinked. What their claims gave, roles and groups, is gone with them.' },
    404: { description: 'There is no such user, or the user has no such accounts.' },
  },
  async run({ kernel, db, site, caller, params }) {
    const { id, roles } = await requireProfile(db, params.id);
    if (id !== caller.id) requireAuthority(site, caller, roles);
    if (!(await unlinkAll(kernel, id))) throw new NotFound(`/@users/${id}/@provider-accounts`);
    return noContent();
  },
});

export const linkedAccountServices: Service[] = [getLinked, deleteLinked, deleteLinkedOf];
