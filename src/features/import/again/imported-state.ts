import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ContentObject } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';

/**
 * An object as an export has it, in the form in which this site stores it: what a newer export and the site are compared with.
 * `settings` are flat, so that each local role and each permission is a part of its own (`role:user:jo`).
 */
export type ImportedState = {
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
export function stateOf(columns: StateColumns): ImportedState {
  const { type, fields, layout, effective, expires, language } = columns;
  const state: ImportedState = {
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
  // The same value in memory, in the database and in a base.
  return { ...state, ...unpackedJson({ values: state.values, settings: state.settings }) };
}

function unpackedJson(parts: { values: JsonObject; settings: JsonObject }): {
  values: JsonObject;
  settings: JsonObject;
} {
  const { values, settings }: { values: JsonObject; settings: JsonObject } = JSON.parse(JSON.stringify(parts));
  return { values, settings };
}

/** The entries of settings with a prefix, by what stands behind it. Those that are null are left out. */
export const entriesOf = (settings: JsonObject, prefix: 'role' | 'permission'): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) =>
    name.startsWith(`${prefix}:`) && value !== null && value !== undefined
      ? [[name.slice(prefix.length + 1), value] as [string, unknown]]
      : [],
  );

/** Says if two states are the same. */
export const areSame = (one: ImportedState, other: ImportedState): boolean => isDeepStrictEqual(one, other);

/**
 * Packs a value for the table of bases. Whole values are stored, deflated, instead of hashes of fields and blocks: texts can only be merged
 * by words with the words themselves.
 */
export const pack = (value: unknown): string => deflateRawSync(JSON.stringify(value)).toString('base64');

/** Returns a packed value. */
export const unpack = (packed: string): unknown => JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString());

/** Returns a packed state. */
export function unpackState(packed: string): ImportedState {
  const state = unpack(packed);
  if (!isJsonObject(state) || !isJsonObject(state.values) || !isJsonObject(state.settings))
    throw new Error('A base of an import has no state');
  const { type, layout, values, settings } = state;
  return { type: String(type), layout: typeof layout === 'string' ? layout : null, values, settings };
}
