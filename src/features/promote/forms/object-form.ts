import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import {
  type Caller,
  type ContentType,
  contentPath,
  contentStates,
  type Field,
  type FieldKinds,
  fieldValues,
  has,
  type Kernel,
  permissions,
  type ResolvedNode,
  type Site,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import { digestOfJson } from './stable-json.ts';

/** The UID that stands for the root of any site: it is the same object on all of them, with another UID on each. */
export const ROOT_UID = '00000000000000000000000000000000';

/** Where an object lies: the UID of its container and its id. The root has the container `''`. */
export const PlaceForm = Type.Object({ parent: Type.String(), name: Type.String() });

/** An object as folders, plans and other sites have it: by UIDs instead of numbers and addresses. */
export const ObjectForm = Type.Object({
  uid: Type.String(),
  path: Type.String(),
  place: PlaceForm,
  position: Type.Number({ description: 'Its place among its siblings, from small to great.' }),
  type: Type.String(),
  layout: Type.Union([Type.String(), Type.Null()]),
  rights: Type.Boolean({ description: 'Local roles and permissions are among the settings: the caller may see them.' }),
  values: Type.Record(Type.String(), Type.Unknown()),
  settings: Type.Record(Type.String(), Type.Unknown()),
});
export type ObjectForm = Static<typeof ObjectForm>;

/** The parts of a form beside its place. */
export type StateForm = Pick<ObjectForm, 'type' | 'layout' | 'values' | 'settings'>;

/** Says if a setting is a right: a local role, a local permission, or whether those of containers count. */
export const isRight = (name: string): boolean => /^(?:role:|permission:|inherit_roles$)/.test(name);

/** Says if the values of a field travel: those that clients may write, without secrets. */
export const travels = (kinds: FieldKinds, field: Field): boolean =>
  fieldValues.isWritable(field) && !field.writeOnly && kinds.of(field).secret !== true;

/** A value as forms have it: undefined where it is as good as unset. */
export function shownValue(kinds: FieldKinds, field: Field, value: unknown): unknown {
  const missing = kinds.of(field).missing ?? null;
  const shown = value ?? missing;
  return shown === null || isDeepStrictEqual(shown, missing) ? undefined : shown;
}

/** The values of a state that travel, without those that are unset, and without fields that `mayRead` does not accept. */
export function shownValues(
  kinds: FieldKinds,
  type: ContentType | undefined,
  values: Readonly<Record<string, unknown>>,
  mayRead: (field: Field) => boolean = () => true,
): JsonObject {
  const shown = (type?.fields ?? []).flatMap((field): [string, unknown][] => {
    if (!travels(kinds, field) || !mayRead(field)) return [];
    const value = shownValue(kinds, field, values[field.name]);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(shown);
}

/**
 * A setting as forms have it; null where it says nothing. The owner of an object is somebody of one site, and so is the role that comes
 * with it.
 */
export function shownSetting({ owner }: { owner: string }, name: string, value: unknown): unknown {
  if (value === null || value === undefined || name === 'owner') return null;
  if (name === 'inherit_roles') return value === true ? null : value;
  if (!name.startsWith('role:') || !Array.isArray(value)) return value;
  const roles = value.filter((role) => role !== 'Owner' || name !== `role:user:${owner}`).sort();
  return roles.length > 0 ? roles : null;
}

/** The settings of an object that travel. */
function shownSettings(object: { owner: string }, settings: JsonObject, withRights: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]): [string, unknown][] => {
      const shown = shownSetting(object, name, value);
      return shown === null || (!withRights && isRight(name)) ? [] : [[name, shown]];
    }),
  );
}

/** Replaces the UID of the root of one site by that of forms, or the other way round, wherever a value has it. */
export function withRoot<T>(value: T, from: string, to: string): T {
  const text = JSON.stringify(value);
  const replaced: T = text.includes(from) ? JSON.parse(text.replaceAll(from, to)) : value;
  return replaced;
}

/** The form of an object as the caller may see it. */
export function formOf(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  { site, caller }: { site: Site; caller: Caller },
  resolved: ResolvedNode,
): ObjectForm {
  const { object, ancestors } = resolved;
  const root = ancestors.at(-1) ?? object;
  const rights = has(site, caller, resolved, permissions.DELEGATE_ROLES);
  const state = contentStates.of(object);
  const uidOf = (uid: string) => (uid === root.uid ? ROOT_UID : uid);
  const isRoot = contentPath.isRoot(object);
  const mayRead = ({ read_permission: permission }: Field) =>
    permission === undefined || has(site, caller, resolved, permission);
  const values = shownValues(fieldKinds, site.types.get(object.type), state.values, mayRead);
  return {
    uid: uidOf(object.uid),
    path: object.path,
    place: isRoot ? { parent: '', name: '' } : { parent: uidOf(ancestors[0]?.uid ?? ''), name: object.name },
    position: isRoot ? 0 : object.position,
    type: object.type,
    layout: object.layout,
    rights,
    values: withRoot(values, root.uid, ROOT_UID),
    settings: shownSettings(object, state.settings, rights),
  };
}

/** A digest of what an object is, without its place and its rights: the same text wherever it is made. */
export const digestOf = ({ type, layout, values, settings }: StateForm): string =>
  digestOfJson({
    ...{ type, layout, values },
    settings: Object.fromEntries(Object.entries(settings).filter(([name]) => !isRight(name))),
  });

/** A digest of the rights in a form. */
export const rightsDigest = ({ settings }: Pick<StateForm, 'settings'>): string =>
  digestOfJson(Object.fromEntries(Object.entries(settings).filter(([name]) => isRight(name))));

/** Hashes of the files in a form. */
export function hashesIn({ values }: Pick<StateForm, 'values'>): string[] {
  return Object.values(values).flatMap((value) => {
    const hash = hashOf(value);
    return hash === undefined ? [] : [hash];
  });
}

/** The hash in the value of a field that holds a file; undefined for other values. */
export function hashOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('hash' in value) || !('filename' in value)) return undefined;
  return typeof value.hash === 'string' && /^[0-9a-f]{64}$/.test(value.hash) ? value.hash : undefined;
}
