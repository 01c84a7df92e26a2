import type { Site } from '../../site/site.ts';
import { type ContentType, type Field, resolveType } from '../../types/content-type.ts';
import { CORE_USER_FIELDS, DEFAULT_USER_SCHEMA } from './default-user-schema.ts';

const known = new WeakMap<Site, ContentType>();

/** The fields of users of a site, in the form of a content type. */
export function userType(site: Site): ContentType {
  const type =
    known.get(site) ??
    resolveType(
      {
        ...(site.userSchema ?? DEFAULT_USER_SCHEMA),
        id: 'user',
        title: 'User',
        behaviors: [],
        global_allow: false,
        filter_content_types: true,
        allowed_content_types: [],
        workflow: null,
        layouts: [],
      },
      new Map(),
    );
  known.set(site, type);
  return type;
}

/** The fields whose values are kept as properties of the account. */
export const propertyFields = (site: Site): Field[] =>
  userType(site).fields.filter(({ name }) => !CORE_USER_FIELDS.some((core) => core === name));
