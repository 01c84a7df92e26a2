import type { OpenidSettings } from '../../site/config.ts';

/** What a provider says of somebody who has logged in. */
export type Claims = Readonly<Record<string, unknown>>;

const textIn = (claims: Claims, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 254) : undefined;
};

const textsIn = (claims: Claims, name: string): string[] => {
  const value = claims[name];
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string').slice(0, 1000);
};

/** A person as the claims describe one. */
export type Person = {
  /** The e-mail address, where the provider has verified it. */
  verifiedEmail: string | undefined;
  email: string;
  fullname: string;
  /** A login name with the characters that login names may have. */
  name: string;
  /** Roles, by the settings. */
  roles: string[];
  /** Ids of groups; there may be no such groups. */
  groups: string[];
};

/** What the claims of a login say, by the settings. */
export function personOf(claims: Claims, { groupsClaim, rolesClaim, roles }: OpenidSettings): Person {
  const email = textIn(claims, 'email') ?? '';
  const wanted = textIn(claims, 'preferred_username') ?? email.split('@')[0] ?? '';
  const name = wanted.replace(/[^A-Za-z0-9_.@+-]/g, '').replace(/^[^A-Za-z0-9_]+/, '');
  const given = new Set(textsIn(claims, rolesClaim));
  return {
    verifiedEmail: claims.email_verified === true && email !== '' ? email : undefined,
    email,
    fullname: textIn(claims, 'name') ?? '',
    name: name === '' ? 'user' : name,
    roles: [...new Set(roles.filter(([value]) => given.has(value)).map(([, role]) => role))],
    groups: groupsClaim === undefined ? [] : textsIn(claims, groupsClaim),
  };
}
