import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import {
  accountRows,
  accounts,
  type Caller,
  defineService,
  groupRows,
  type Kernel,
  noContent,
  ok,
  permissions,
  type RequestContext,
  requests,
  type Service,
  schemas,
  type Transaction,
} from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { changePeople, requireAuthority } from '../people/authority.ts';
import { requireProfile } from '../people/people-json.ts';
import { CAME_FROM } from './endpoints.ts';
import { beginWith } from './exchange.ts';
import { safePath } from './pending-login.ts';
import { activeProviders, requireProvider } from './providers.ts';
import { type LinkedAccount, linkedAccounts, removeProviderAccount } from './statements/provider-accounts.ts';

/** A short id for a link, because subjects may be long and have any character. */
const idOf = ({ issuer, subject }: Pick<LinkedAccount, 'issuer' | 'subject'>): string =>
  createHash('sha256').update(`${issuer}\n${subject}`).digest('hex').slice(0, 16);

/** The id of the caller. Only users who are logged in get here. */
function userOf({ caller }: RequestContext): string {
  if (caller.id === null) throw new Error('Accounts were asked for by nobody');
  return caller.id;
}

/** The provider of an account; undefined when the site no longer has the provider. */
const providerOf = ({ kernel, site }: Pick<RequestContext, 'kernel' | 'site'>, issuer: string) =>
  activeProviders(kernel, site).find((one) => one.issuer === issuer);

/** Unlinks an account, with the roles and groups that the claims of its provider have given to the user. */
async function unlink(
  { kernel, tx, caller }: { kernel: Kernel; tx: Transaction; caller: Caller },
  user: string,
  linked: LinkedAccount,
): Promise<void> {
  const { ownRoles } = await requireProfile(tx, user);
  await accountRows.updateAccount(tx, user, { roles: ownRoles.filter((role) => !linked.roles.includes(role)) });
  for (const group of linked.groups) await groupRows.removeMembers(tx, group, { ids: [user], isGroup: false });
  await removeProviderAccount(tx, linked);
  const change = { part: 'provider-account', id: user, change: 'unlinked', names: [linked.issuer] };
  await kernel.events.emit('site.changed', change, { tx, caller });
}

/** Unlinks all accounts of a user; returns whether there were any. */
const unlinkAll = (kernel: Kernel, caller: Caller, user: string): Promise<boolean> =>
  changePeople(kernel, async ({ tx }) => {
    const all = await linkedAccounts(tx, user);
    for (const linked of all) await unlink({ kernel, tx, caller }, user, linked);
    return all.length > 0;
  });

const common = {
  name: '@provider-accounts',
  context: 'site',
  permission: null,
  checkPermission: requests.isLoggedIn,
  tag: 'login',
} as const;

/** GET `@provider-accounts`: the accounts with providers that the user logs in with. */
const getLinked = defineService({
  ...common,
  method: 'GET',
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
            provider: Type.Union([Type.String(), Type.Null()], {
              description: 'The id of the provider as `@login` lists it; null when the site has it no more.',
            }),
            title: Type.String({ description: 'What the provider is called.' }),
          }),
        ),
        items_total: Type.Integer(),
      }),
    },
  },
  async run(context) {
    const url = `${context.base}/@provider-accounts`;
    const items = (await linkedAccounts(context.db, userOf(context))).map(({ issuer, subject }) => {
      const id = idOf({ issuer, subject });
      const provider = providerOf(context, issuer);
      return {
        ...{ '@id': `${url}/${id}`, id, issuer, subject },
        ...{ provider: provider?.id ?? null, title: provider?.title ?? issuer },
      };
    });
    return ok({ '@id': url, items, items_total: items.length });
  },
});

/** POST `@provider-accounts`: begins to link an account with a provider. */
const postLinked = defineService({
  ...common,
  method: 'POST',
  inPerson: true,
  waitsFor: 'provider',
  summary: 'Begins to link an account with a provider with the user who asks.',
  body: Type.Object(
    {
      provider: schemas.Text({
        description: 'The id of the provider, as `@login` lists it.',
        minLength: 1,
        maxLength: 50,
      }),
      came_from: Type.Optional(CAME_FROM),
    },
    { examples: [{ provider: 'town', came_from: '/personal-information' }] },
  ),
  responses: {
    200: {
      description:
        'Where the browser goes to log in with the provider. It has to keep the cookie of this response, and comes back linked.',
      schema: Type.Object({ url: Type.String({ format: 'uri' }) }),
      headers: { 'Set-Cookie': { description: 'By which the browser is known when it comes back.' } },
    },
    404: { description: 'The site has no such provider.' },
    503: { description: 'The provider cannot be reached.' },
  },
  async run(context) {
    const { kernel, site, db, auth, body } = context;
    const link = userOf(context);
    if (!(await accounts.load(db, link, auth.now()))) throw new BadRequest('This user has no account to link with.');
    const provider = await requireProvider(kernel, site, body.provider);
    const { url, cookie } = await beginWith(context, provider, { cameFrom: safePath(body.came_from), link });
    return { status: 200, headers: { 'Set-Cookie': cookie, 'Cache-Control': 'no-store' }, body: { url } };
  },
});

/** DELETE `@provider-accounts/<id>`: unlinks an account. */
const deleteLinked = defineService({
  ...common,
  method: 'DELETE',
  inPerson: true,
  summary: 'Unlinks an account with a provider from the user who asks.',
  rest: ['{account}'],
  responses: {
    204: { description: 'Unlinked. What its claims gave, roles and groups, is gone with it.' },
    400: { description: 'The user has no password and could not log in any more.' },
    404: { description: 'The user has no such account.' },
  },
  async run(context) {
    const { kernel, caller, params } = context;
    const user = userOf(context);
    await changePeople(kernel, async ({ tx }) => {
      const all = await linkedAccounts(tx, user);
      const linked = all.find((one) => idOf(one) === params.account);
      if (!linked) throw new NotFound(`/@provider-accounts/${params.account}`);
      const isOtherWay = all.some((one) => one !== linked && providerOf(context, one.issuer) !== undefined);
      if (!isOtherWay && (await accounts.load(tx, user))?.password === null)
        throw new BadRequest('You could not log in any more: choose a password first.');
      await unlink({ kernel, tx, caller }, user, linked);
    });
    return noContent();
  },
});

/** DELETE `@users/<id>/@provider-accounts`: unlinks all accounts of a user, for managers of users. */
const deleteLinkedOf = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: permissions.MANAGE_USERS,
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
    if (!(await unlinkAll(kernel, caller, id))) throw new NotFound(`/@users/${id}/@provider-accounts`);
    return noContent();
  },
});

export const linkedAccountServices: Service[] = [getLinked, postLinked, deleteLinked, deleteLinkedOf];
