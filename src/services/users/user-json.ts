import type { JsonObject } from '../../lib/json-object.ts';
import { PROPERTY_NAMES } from '../../people/read-user.ts';
import { AUTHENTICATED_USERS } from '../../security/caller.ts';
import type { Profile } from '../../storage/statements/people-profiles.ts';

/** Address of a user. */
export const userUrl = (base: string, id: string): string => `${base}/@users/${encodeURIComponent(id)}`;

/** A user as plone.restapi represents it: roles of groups included, empty properties null. */
export function userJson(base: string, { id, login, fullname, email, properties, roles, groups }: Profile): JsonObject {
  const url = userUrl(base, id);
  const items = groups.map((group) => ({
    id: group.id,
    title: group.id === AUTHENTICATED_USERS ? AUTHENTICATED_USERS : group.title,
  }));
  return {
    '@id': url,
    id,
    username: login,
    fullname,
    email,
    ...Object.fromEntries(PROPERTY_NAMES.map((name) => [name, properties[name] || null])),
    portrait: null,
    roles: roles.filter((role) => role !== 'Anonymous' && role !== 'Authenticated'),
    groups: { '@id': url, items, items_total: items.length },
  };
}
