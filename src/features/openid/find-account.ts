import { accountRows, callers, groupRows, type Kernel, type loginProvider, mailing, type Transaction } from '#core';
import { Conflict, Unauthorized } from '#lib/errors';
import { changePeople } from '../people/authority.ts';
import { profilesById } from '../people/statements/accounts.ts';
import { isNameTaken, knownPrincipals } from '../people/statements/principals.ts';
import type { Person } from './claims.ts';
import {
  accountsByEmail,
  findProviderAccount,
  keepProviderAccount,
  type ProviderAccount,
} from './statements/provider-accounts.ts';

/** Maximum number of names that are tried for a new user: the wanted name with numbers behind it. */
const MAX_NAMES = 50;

async function freeName(tx: Transaction, wanted: string): Promise<string> {
  for (let n = 1; n <= MAX_NAMES; n += 1) {
    const name = n === 1 ? wanted : `${wanted}${n}`;
    if (!(await isNameTaken(tx, name, null))) return name;
  }
  throw new Unauthorized('There are too many users of your name. Ask for an account.', 'No account');
}

/** The account with a verified address, if the site accepts the address as proof; undefined for no account, and for several. */
async function linked(tx: Transaction, { linkByEmail }: loginProvider.LoginProvider, { verifiedEmail }: Person) {
  if (!linkByEmail || verifiedEmail === undefined) return undefined;
  const found = await accountsByEmail(tx, verifiedEmail);
  return found.length === 1 ? found[0] : undefined;
}

async function created(tx: Transaction, { createUsers }: loginProvider.LoginProvider, person: Person): Promise<string> {
  if (!createUsers) throw new Unauthorized('There is no account for you on this site. Ask for one.', 'No account');
  const id = await freeName(tx, person.name);
  await accountRows.insertAccount(tx, {
    ...{ id, login: id, password: null, roles: ['Member'], properties: {}, portrait: null, created: new Date() },
    fullname: person.fullname,
    email: mailing.isAddress(person.email) ? person.email : '',
  });
  return id;
}

/**
 * Returns the id of the user of a subject of a provider: the user who links it now (`link`), else the linked account, else an account with the same
 * verified address or a new one, each if the site allows it. Roles and groups follow the claims: roles and groups of an earlier login that the claims
 * no longer name are removed; others stay.
 * @throws Unauthorized of type `No account`, and Conflict when the subject is linked with another user already
 */
export async function accountOf(
  kernel: Kernel,
  settings: loginProvider.LoginProvider,
  { subject, person, link }: { subject: string; person: Person; link: string | null },
): Promise<string> {
  const { issuer } = settings;
  return changePeople(kernel, async ({ tx, site }) => {
    const known = await findProviderAccount(tx, issuer, subject);
    if (link !== null && known && known.account !== link)
      throw new Conflict(`This account of "${settings.title}" is linked with another user.`);
    const present = link ?? known?.account ?? (await linked(tx, settings, person));
    const account = present ?? (await created(tx, settings, person));
    const caller = callers.ANONYMOUS;
    if (present === undefined) await kernel.events.emit('user.created', { id: account, site }, { tx, caller });
    const before: ProviderAccount = known ?? { account, roles: [], groups: [] };
    const roles = person.roles.filter((role) => site.roles.some(({ id }) => id === role));
    const groups = [...(await knownPrincipals(tx, person.groups)).groups];
    const [user] = await profilesById(tx, [account]);
    if (!user) throw new Error(`The account ${account} is gone while it is changed`);
    const kept = user.ownRoles.filter((role) => roles.includes(role) || !before.roles.includes(role));
    const given = roles.filter((role) => !user.ownRoles.includes(role));
    await accountRows.updateAccount(tx, account, { roles: [...kept, ...given] });
    const removed = user.ownRoles.filter((role) => !kept.includes(role));
    if (given.length + removed.length > 0) {
      const change = { part: 'user', id: account, change: 'edited', names: ['roles'], added: given, removed };
      await kernel.events.emit('site.changed', change, { tx, caller });
    }
    const member = { ids: [account], isGroup: false };
    const had = new Set(user.groups.map(({ id }) => id));
    for (const group of before.groups.filter((id) => !groups.includes(id)))
      await groupRows.removeMembers(tx, group, member);
    await groupRows.addMembers(tx, groups, member);
    await keepProviderAccount(tx, {
      ...{ issuer, subject, account },
      roles: roles.filter((role) => given.includes(role) || before.roles.includes(role)),
      groups: groups.filter((id) => !had.has(id) || before.groups.includes(id)),
    });
    if (!known) {
      const change = { part: 'provider-account', id: account, change: 'linked', names: [settings.id] };
      await kernel.events.emit('site.changed', change, { tx, caller });
    }
    return account;
  });
}
