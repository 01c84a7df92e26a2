import { Type } from 'typebox';
import {
  defineService,
  loginProvider,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  type Service,
  say,
  schemas,
} from '#core';
import { NotFound } from '#lib/errors';
import { callbackAddress } from './addresses.ts';
import { ClientSecret, changeProvider, createProvider, removeProvider } from './provider-settings.ts';
import { providersWithSecret } from './statements/provider-secrets.ts';

/** The address of the providers among the control panels. They have no form of settings, so the overview, which opens forms, leaves them out. */
const PANEL_ID = 'login-providers';

const common = { name: '@controlpanels', tag: 'login', context: 'site', permission: MANAGE_PORTAL } as const;
const MISSING = { description: 'There is no such provider.' };
const urlOf = (base: string, id: string): string => `${base}/@controlpanels/${PANEL_ID}/${encodeURIComponent(id)}`;

const Provider = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  id: Type.String(),
  ...loginProvider.PROVIDER_MEMBERS,
  client_secret: Type.Literal('', { description: 'Always empty: it is never served.' }),
  has_secret: Type.Boolean({ description: 'Whether it has one.' }),
  source: Type.Union([Type.Literal('environment'), Type.Literal('site')], {
    description: 'Whether the settings of the server describe it, and it is changed there, or the site does.',
  }),
  in_use: Type.Boolean({ description: 'Whether people can log in with it.' }),
  redirect_uri: Type.String({ description: 'The address to register at the provider.', format: 'uri' }),
});

/** The JSON of all providers, first the providers of the environment. */
async function providersJson({ kernel, site, db, base }: RequestContext) {
  const secrets = await providersWithSecret(db);
  const shown = (
    data: loginProvider.ProviderData,
    source: 'environment' | 'site',
    hasSecret: boolean,
    inUse: boolean,
  ) => ({
    '@id': urlOf(base, data.id),
    ...data,
    client_secret: '' as const,
    has_secret: hasSecret,
    ...{ source, in_use: inUse },
    redirect_uri: callbackAddress(base, data.id),
  });
  const fixed = kernel.config.loginProviders;
  return [
    ...fixed.map((one) => {
      const { id, title, issuer, scope, groupsClaim, roles } = one;
      const data: loginProvider.ProviderData = {
        ...{ id, title, issuer, client_id: one.clientId, scope },
        ...{ name_claim: one.nameClaim, fullname_claim: one.fullnameClaim, email_claim: one.emailClaim },
        ...(groupsClaim === undefined ? {} : { groups_claim: groupsClaim }),
        ...{ roles_claim: one.rolesClaim, roles: Object.fromEntries(roles) },
        ...{ create_users: one.createUsers, link_by_email: one.linkByEmail },
      };
      return shown(data, 'environment', one.clientSecret !== undefined, true);
    }),
    ...[...site.loginProviders.values()].map((data) => {
      const isUsed = data.enabled !== false && !fixed.some(({ id }) => id === data.id);
      return shown(data, 'site', secrets.has(data.id), isUsed);
    }),
  ];
}

/** The provider in an address; of two with the same id the provider of the site, which can be changed. Throws NotFound. */
async function requireShown(context: RequestContext, id: string) {
  const found = (await providersJson(context)).findLast((one) => one.id === id);
  if (!found) throw new NotFound(`/@controlpanels/${PANEL_ID}/${id.slice(0, 100)}`);
  return found;
}

/** GET `@controlpanels/login-providers`: the providers. */
const getProviders = defineService({
  ...common,
  method: 'GET',
  summary: 'Lists the providers that people can log in with. No secrets are among it.',
  rest: [PANEL_ID],
  overrides: true,
  responses: {
    200: {
      description: 'The providers.',
      schema: Type.Object({
        '@id': Type.String({ format: 'uri' }),
        title: Type.String(),
        group: Type.String(),
        items: Type.Array(Provider),
        items_total: Type.Integer(),
      }),
    },
  },
  async run(context) {
    const { site, base } = context;
    const items = await providersJson(context);
    return ok({
      '@id': `${base}/@controlpanels/${PANEL_ID}`,
      title: say(site, 'Login providers'),
      group: say(site, 'Users'),
      items,
      items_total: items.length,
    });
  },
});

/** GET `@controlpanels/login-providers/<provider>`: one provider. */
const getProvider = defineService({
  ...common,
  method: 'GET',
  summary: 'A provider that people can log in with, without its secret.',
  rest: [`${PANEL_ID}/{provider}`],
  responses: { 200: { description: 'The provider.', schema: Provider }, 404: MISSING },
  run: async (context) => ok(await requireShown(context, context.params.provider)),
});

/** POST `@controlpanels/login-providers`: adds a provider. */
const postProvider = defineService({
  ...common,
  method: 'POST',
  summary: 'Adds a provider that people can log in with (OpenID Connect).',
  rest: [PANEL_ID],
  body: Type.Object(
    { id: loginProvider.ProviderId, ...loginProvider.PROVIDER_MEMBERS, client_secret: Type.Optional(ClientSecret) },
    {
      additionalProperties: false,
      examples: [{ id: 'town', title: 'The town', issuer: 'https://login.example.org', client_id: 'canopy' }],
    },
  ),
  responses: {
    201: {
      description: 'The provider.',
      schema: Provider,
      headers: { Location: { description: 'Its address in the panel.' } },
    },
    400: { description: 'A problem for each field.' },
  },
  async run(context) {
    const { kernel, caller, base, body } = context;
    const { client_secret: secret, ...data } = body;
    await createProvider(kernel, caller, { data, secret });
    const site = await kernel.sites.current();
    return {
      status: 201,
      headers: { Location: urlOf(base, data.id) },
      body: await requireShown({ ...context, site }, data.id),
    };
  },
});

const { title, issuer, client_id, ...others } = loginProvider.PROVIDER_MEMBERS;
const optional = Object.fromEntries(Object.entries(others).map(([name, schema]) => [name, schemas.Nullable(schema)]));

/** PATCH `@controlpanels/login-providers/<provider>`: changes a provider. */
const patchProvider = defineService({
  ...common,
  method: 'PATCH',
  summary: 'Changes what is sent of a provider of the site; null takes away what it need not have.',
  rest: [`${PANEL_ID}/{provider}`],
  body: schemas.Changes(Type.Object({ title, issuer, client_id, ...optional, client_secret: ClientSecret }), {
    additionalProperties: false,
  }),
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, or the provider is described by the settings of the server.' },
    404: MISSING,
  },
  async run({ kernel, caller, params, body }) {
    const { client_secret: secret, ...members } = body;
    await changeProvider(kernel, caller, { id: params.provider, members, secret });
    return noContent();
  },
});

/** DELETE `@controlpanels/login-providers/<provider>`: removes a provider. */
const deleteProvider = defineService({
  ...common,
  method: 'DELETE',
  summary: 'Removes a provider of the site with its secret. Nobody can log in with it any more; users stay.',
  rest: [`${PANEL_ID}/{provider}`],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'The provider is described by the settings of the server.' },
    404: MISSING,
  },
  async run({ kernel, caller, params }) {
    await removeProvider(kernel, caller, params.provider);
    return noContent();
  },
});

/** The providers of a site: listing, adding, changing and removing them. */
export const providerServices: Service[] = [getProviders, getProvider, postProvider, patchProvider, deleteProvider];
