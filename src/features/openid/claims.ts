import type { loginProvider } from '#core';
import { isJsonObject } from '#lib/json-object';

/** The claims of a provider about a user who has logged in. */
export type Claims = Readonly<Record<string, unknown>>;

/** The value of a claim; a name with dots also finds a member of another claim, such as `realm_access.roles`. */
function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (value, part) => (isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      claims,
    );
}

const textIn = (claims: Claims, name: string): string | undefined => {
  const value = claimIn(claims, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 254) : undefined;
};

const textsIn = (claims: Claims, name: string): string[] => {
  const value = claimIn(claims, name);
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string').slice(0, 1000);
};

/** A person as described by the claims. */
export type Person = {
  /** The e-mail address, if the provider has verified it. */
  verifiedEmail: string | undefined;
  email: string;
  fullname: string;
  /** A login name with the characters that login names may have. */
  name: string;
  /** Roles from the claims, by the settings. */
  roles: string[];
  /** Ids of groups, which may not exist. */
  groups: string[];
};

/** The person that the claims of a login describe, by the settings of the provider. */
export function personOf(claims: Claims, provider: loginProvider.LoginProvider): Person {
  const email = textIn(claims, provider.emailClaim) ?? '';
  const wanted = textIn(claims, provider.nameClaim) ?? email.split('@')[0] ?? '';
  const name = wanted.replace(/[^A-Za-z0-9_.@+-]/g, '').replace(/^[^A-Za-z0-9_]+/, '');
  const given = new Set(textsIn(claims, provider.rolesClaim));
  // Providers state the verification of the claim `email` only.
  const isVerified = provider.emailClaim === 'email' && claims.email_verified === true;
  return {
    verifiedEmail: isVerified && email !== '' ? email : undefined,
    email,
    fullname: textIn(claims, provider.fullnameClaim) ?? '',
    name: name === '' ? 'user' : name,
    roles: [...new Set(provider.roles.filter(([value]) => given.has(value)).map(([, role]) => role))],
    groups: provider.groupsClaim === undefined ? [] : textsIn(claims, provider.groupsClaim),
  };
}
