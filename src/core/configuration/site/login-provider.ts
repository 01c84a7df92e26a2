import { type Static, Type } from 'typebox';
import { LateValidator } from '../../../lib/schema/late-validator.ts';

/** The kind of login providers in profiles and in the configuration. */
export const LOGIN_PROVIDER = 'login-provider';

/** The id of the provider that the settings `OPENID_ISSUER` and so on describe. */
export const FIRST_PROVIDER = 'openid';

/** Maximum number of providers of one site; each is a button in the login form. */
export const MAX_PROVIDERS = 20;

const ID = /^[a-z][a-z0-9-]{0,49}$/;
/** Names that mean something else in the addresses of providers. */
const TAKEN = ['callback'];

const isProviderId = (id: string): boolean => ID.test(id) && !TAKEN.includes(id);

/** Says if an address can belong to a provider: https, or http on this machine. */
export function isIssuer(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(issuer);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

const ISSUER_FORM = 'must be an address that begins with https://, unless the provider runs on this machine';
const ID_FORM = 'must be up to 50 lower-case letters, digits and hyphens, begin with a letter, and not be "callback"';

const name = (description: string) => Type.String({ description, minLength: 1, maxLength: 200 });

/** A provider without its id and its secret, as profiles, the control panel and the setting OPENID_PROVIDERS have it. */
export const PROVIDER_MEMBERS = {
  title: Type.String({ description: 'What it is called where people log in.', minLength: 1, maxLength: 200 }),
  issuer: Type.Refine(
    Type.String({ description: 'Its address as it names itself.', maxLength: 1000 }),
    isIssuer,
    () => ISSUER_FORM,
  ),
  client_id: Type.String({ description: 'The name of this site there.', minLength: 1, maxLength: 1000 }),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether people can log in with it; true unless given.' })),
  scope: Type.Optional(name('What is asked of it; `openid profile email` unless given.')),
  name_claim: Type.Optional(name('The claim with the name of a new user; `preferred_username` unless given.')),
  fullname_claim: Type.Optional(name('The claim with the full name of a new user; `name` unless given.')),
  email_claim: Type.Optional(name('The claim with the e-mail address; `email` unless given.')),
  groups_claim: Type.Optional(name('The claim with ids of groups of the site; groups are left alone unless given.')),
  roles_claim: Type.Optional(name('The claim whose values `roles` names; `roles` unless given.')),
  roles: Type.Optional(
    Type.Record(Type.String({ maxLength: 500 }), name('A role of the site.'), {
      description: 'Values of that claim, each with the role that it gives.',
      maxProperties: 200,
    }),
  ),
  create_users: Type.Optional(Type.Boolean({ description: 'Whether people without an account get one.' })),
  link_by_email: Type.Optional(
    Type.Boolean({ description: 'Whether a verified e-mail address is enough to get the account that has it.' }),
  ),
};

export const ProviderId = Type.Refine(
  Type.String({ description: 'By which addresses know it.', maxLength: 50 }),
  isProviderId,
  () => ID_FORM,
);

/** A provider in a profile. It has no secret, because profiles are copied and published. */
export const ProviderFile = Type.Object({ id: ProviderId, ...PROVIDER_MEMBERS }, { additionalProperties: false });

/** A provider as the configuration of a site has it. */
export type ProviderData = Static<typeof ProviderFile>;

/** A provider that people log in with (OpenID Connect), with everything that may be left out. */
export type LoginProvider = {
  id: string;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  title: string;
  scope: string;
  nameClaim: string;
  fullnameClaim: string;
  emailClaim: string;
  groupsClaim: string | undefined;
  rolesClaim: string;
  /** Values of the claim for roles, each with the role that it gives. */
  roles: readonly (readonly [string, string])[];
  createUsers: boolean;
  linkByEmail: boolean;
};

/** A provider with its defaults. */
export const completeProvider = (data: ProviderData, clientSecret: string | undefined): LoginProvider => ({
  ...{ id: data.id, issuer: data.issuer, clientId: data.client_id, clientSecret, title: data.title },
  scope: data.scope ?? 'openid profile email',
  nameClaim: data.name_claim ?? 'preferred_username',
  fullnameClaim: data.fullname_claim ?? 'name',
  emailClaim: data.email_claim ?? 'email',
  groupsClaim: data.groups_claim,
  rolesClaim: data.roles_claim ?? 'roles',
  roles: Object.entries(data.roles ?? {}),
  createUsers: data.create_users ?? false,
  linkByEmail: data.link_by_email ?? false,
});

const OfEnvironment = new LateValidator(
  Type.Array(
    Type.Object(
      { id: ProviderId, ...PROVIDER_MEMBERS, client_secret: Type.Optional(Type.String({ minLength: 1 })) },
      { additionalProperties: false },
    ),
    { maxItems: MAX_PROVIDERS },
  ),
);

/**
 * Parses the providers of the setting OPENID_PROVIDERS, a list in JSON. For a wrong value returns the problem as a text, without values that may be
 * secrets.
 */
export function parseProviders(text: string): LoginProvider[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'must be a list in JSON';
  }
  if (!OfEnvironment.Check(value)) {
    const [first] = OfEnvironment.Errors(value);
    const place = first?.instancePath.slice(1).replaceAll('/', '.') ?? '';
    return `${place === '' ? '' : `${place} `}${first?.message ?? 'has another form'}`;
  }
  const providers = value
    .filter(({ enabled }) => enabled !== false)
    .map(({ client_secret, ...data }) => completeProvider(data, client_secret));
  const ids = providers.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  return twice === undefined ? providers : `has two providers "${twice}"`;
}
