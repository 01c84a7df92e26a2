import {
  type ExportedConstrains,
  type ExportedPermission,
  isJsonObject,
  memberOf,
  numberOrNull,
  type ProblemLog,
  stringOrNull,
  stringsOf,
} from '@canopy-server/site-reader';

/** The data of an export about its objects that is stored outside of them, by UID. */
export type SideData = {
  positions: Map<string, number>;
  localRoles: Map<string, LocalRoles>;
  localPermissions: Map<string, Record<string, ExportedPermission>>;
  defaultPages: Map<string, string>;
  constrains: Map<string, ExportedConstrains>;
};

type LocalRoles = { roles: Record<string, string[]>; isBlocked: boolean };

/** Substitutes for the root's UID in the formats: the root has had one since Plone 6 only. */
export const ROOT_KEYS: readonly string[] = ['plone_site_root', '<Portal>'];

/** Returns side data without any entry. */
export function emptySideData(): SideData {
  return {
    positions: new Map(),
    localRoles: new Map(),
    localPermissions: new Map(),
    defaultPages: new Map(),
    constrains: new Map(),
  };
}

/**
 * Looks an object up in side data. Media in a language folder are shown once for each language, and the order of the
 * copies is stored under `<UID>-<language folder>`; the exported object is the copy at its own path.
 */
export function lookUp<T>(data: Map<string, T>, uid: string | null, path: string): T | undefined {
  const keys = path === '/' ? ROOT_KEYS : uid === null ? [] : [`${uid}-${path.split('/')[1]}`];
  for (const key of uid === null ? keys : [uid, ...keys]) {
    const value = data.get(key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Adds the position of one object. */
export function addPosition(data: SideData, uid: unknown, value: unknown): void {
  const [key, position] = [stringOrNull(uid), numberOrNull(value)];
  if (key !== null && position !== null) data.positions.set(key, position);
}

/** Adds `{local_roles | localroles: {principal: roles}, block: 1}` of one object. */
export function addLocalRoles(data: SideData, uid: unknown, value: unknown): void {
  const key = stringOrNull(uid);
  if (key === null || !isJsonObject(value)) return;
  const given = memberOf(value, 'local_roles') ?? memberOf(value, 'localroles');
  const roles = isJsonObject(given)
    ? Object.entries(given).map(([who, names]) => [who, stringsOf(names)] as const)
    : [];
  data.localRoles.set(key, { roles: Object.fromEntries(roles), isBlocked: Boolean(value.block) });
}

/** Adds `{permission: {roles, acquire}}` of one object. */
export function addLocalPermissions(data: SideData, uid: unknown, value: unknown): void {
  const key = stringOrNull(uid);
  if (key === null || !isJsonObject(value)) return;
  const permissions = Object.entries(value).map(
    ([title, setting]) =>
      [
        title,
        { roles: stringsOf(memberOf(setting, 'roles')), acquire: memberOf(setting, 'acquire') !== false },
      ] as const,
  );
  data.localPermissions.set(key, Object.fromEntries(permissions));
}

/** Adds `{default_page: id}` of one object. */
export function addDefaultPage(data: SideData, uid: unknown, value: unknown): void {
  const [key, page] = [stringOrNull(uid), stringOrNull(memberOf(value, 'default_page'))];
  if (key !== null && page !== null) data.defaultPages.set(key, page);
}

/** Adds `{locally_allowed_types, immediately_addable_types}` of one object. */
export function addConstrains(data: SideData, uid: unknown, value: unknown): void {
  const [key, constrains] = [stringOrNull(uid), parseConstrains(value)];
  if (key !== null && constrains) data.constrains.set(key, constrains);
}

/** Parses the types that may be added in a container; returns null without restrictions. */
export function parseConstrains(value: unknown): ExportedConstrains | null {
  if (!isJsonObject(value) || !('locally_allowed_types' in value || 'immediately_addable_types' in value)) return null;
  return {
    locallyAllowed: stringsOf(value.locally_allowed_types),
    immediatelyAddable: stringsOf(value.immediately_addable_types),
  };
}

/** Reports entries about objects that are not in the export. */
export function reportStrangers(
  data: SideData,
  entries: readonly { uid: string; path: string }[],
  problems: ProblemLog,
): void {
  const known = new Set([
    ...ROOT_KEYS,
    ...entries.flatMap(({ uid, path }) => [uid, `${uid}-${path.split('/')[1] ?? ''}`]),
  ]);
  const parts: [key: string, values: ReadonlyMap<string, unknown>][] = [
    ['ordering', data.positions],
    ['local_roles', data.localRoles],
    ['local_permissions', data.localPermissions],
    ['default_page', data.defaultPages],
    ['constrains', data.constrains],
  ];
  for (const [key, values] of parts) {
    for (const uid of values.keys()) {
      // Media of one language are shown in the folders of the other languages too, with a position in each.
      if (known.has(uid) || known.has(uid.replace(/-[a-z]{2,3}(?:-[a-z]{2,4})?$/, ''))) continue;
      const message = `The ${key.replace('_', ' ')} of objects that are not in the export are left out.`;
      problems.note({ reason: 'target', path: uid, key, message });
    }
  }
}
