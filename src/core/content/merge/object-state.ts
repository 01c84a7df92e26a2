import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { ContentChange, ContentObject } from '../../types/content-row.ts';

/**
 * A state of an object in the form in which the site stores it, to be compared and merged with another state. `settings` are flat, so that each local
 * role and each permission is a part of its own (`role:user:jo`).
 */
export type ObjectState = {
  type: string;
  /** Stored values of the fields, with the dates of publication and the language. */
  values: JsonObject;
  layout: string | null;
  settings: JsonObject;
};

/** The columns that a state is made of. */
type StateColumns = Pick<
  ContentObject,
  | 'type'
  | 'fields'
  | 'effective'
  | 'expires'
  | 'language'
  | 'layout'
  | 'reviewState'
  | 'owner'
  | 'localRoles'
  | 'inheritRoles'
  | 'localPermissions'
  | 'defaultPage'
  | 'translationGroup'
> & { constrains: object | null };

const prefixed = (prefix: string, entries: object | null): [string, unknown][] =>
  Object.entries(entries ?? {}).map(([name, value]) => [`${prefix}:${name}`, value]);

/** Returns the state that content has, or will have. */
export function stateOf(columns: StateColumns): ObjectState {
  const { type, fields, layout, effective, expires, language } = columns;
  const state: ObjectState = {
    type,
    values: {
      ...fields,
      effective: effective?.toISOString() ?? null,
      expires: expires?.toISOString() ?? null,
      language,
    },
    layout,
    settings: {
      ...{ review_state: columns.reviewState, owner: columns.owner, inherit_roles: columns.inheritRoles },
      ...{ constrains: columns.constrains, default_page: columns.defaultPage },
      translation_group: columns.translationGroup,
      ...Object.fromEntries(prefixed('role', columns.localRoles)),
      ...Object.fromEntries(prefixed('permission', columns.localPermissions)),
    },
  };
  // The state must be the same in memory, in the database and in a base.
  return { ...state, ...unpackedJson({ values: state.values, settings: state.settings }) };
}

function unpackedJson(parts: { values: JsonObject; settings: JsonObject }): {
  values: JsonObject;
  settings: JsonObject;
} {
  const { values, settings }: { values: JsonObject; settings: JsonObject } = JSON.parse(JSON.stringify(parts));
  return { values, settings };
}

/** The entries of settings whose names have a prefix, by the rest of the name. Null entries are left out. */
export const entriesOf = (settings: JsonObject, prefix: 'role' | 'permission'): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) =>
    name.startsWith(`${prefix}:`) && value !== null && value !== undefined
      ? [[name.slice(prefix.length + 1), value] as [string, unknown]]
      : [],
  );

/** Says if two states are the same. */
export const areSame = (one: ObjectState, other: ObjectState): boolean => isDeepStrictEqual(one, other);

/** Returns the columns of an object that store settings, with the new settings. */
export function columnsOf(object: ContentObject, settings: JsonObject): ContentChange {
  const next = { ...stateOf(object).settings, ...settings };
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  const change: ContentChange = {};
  const names = Object.keys(settings);
  if (names.includes('owner')) change.owner = textOf(next.owner) ?? object.owner;
  if (names.includes('review_state')) change.reviewState = textOf(next.review_state);
  if (names.includes('default_page')) change.defaultPage = textOf(next.default_page);
  if (names.includes('constrains')) change.constrains = constrainsIn(next.constrains);
  if (names.includes('inherit_roles')) change.inheritRoles = next.inherit_roles !== false;
  if (names.some((name) => name.startsWith('role:')))
    change.localRoles = Object.fromEntries(entriesOf(next, 'role').map(([who, roles]) => [who, textsIn(roles)]));
  if (names.some((name) => name.startsWith('permission:'))) change.localPermissions = permissionsIn(next);
  return change;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((text) => (typeof text === 'string' ? [text] : [])) : [];

function constrainsIn(value: unknown): NonNullable<ContentChange['constrains']> | null {
  if (!isJsonObject(value)) return null;
  return {
    locally_allowed: textsIn(value.locally_allowed),
    immediately_addable: textsIn(value.immediately_addable),
  };
}

function permissionsIn(settings: JsonObject): NonNullable<ContentChange['localPermissions']> | null {
  const entries = entriesOf(settings, 'permission').flatMap(([title, value]) =>
    isJsonObject(value) ? [[title, { roles: textsIn(value.roles), acquire: value.acquire !== false }] as const] : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
