import type { RoleMap } from '../security/role-settings.ts';
import type { ConfigurationRow } from '../storage/statements/configuration.ts';
import type { ContentType } from '../types/content-type.ts';
import { resolveType } from '../types/content-type.ts';
import type { Behavior, Schema, TypeDefinition } from '../types/definition.ts';
import type { WorkflowDefinition } from '../workflow/definition.ts';

export type Role = { id: string; title: string; description?: string };

/** An action of a menu, see `@actions`. Placeholders in `url`: `${object_url}`, `${portal_url}`. */
export type Action = {
  id: string;
  title: string;
  url?: string;
  icon?: string;
  permission?: string;
  condition?: string;
};

/** The configuration of the site in memory: immutable, replaced as a whole when its version changes. */
export type Site = {
  version: string;
  types: ReadonlyMap<string, ContentType>;
  behaviors: ReadonlyMap<string, Behavior>;
  workflows: ReadonlyMap<string, WorkflowDefinition>;
  roles: readonly Role[];
  /** Permission to the roles that have it where nothing else is said. */
  roleMap: RoleMap;
  /** Actions by category, in order. */
  actions: ReadonlyMap<string, Action[]>;
  /** Values of the control panels, by panel. */
  settings: ReadonlyMap<string, Record<string, unknown>>;
  /** The fields of users, where they are not the usual ones. */
  userSchema: Schema | undefined;
};

/** Kinds of configuration rows; each is one folder or file of a profile. */
export const KINDS = {
  type: 'type',
  behavior: 'behavior',
  workflow: 'workflow',
  role: 'role',
  permission: 'permission',
  action: 'action',
  setting: 'setting',
  userSchema: 'userschema',
};

/** The only row of the kind `userschema`. */
export const USER_SCHEMA = 'user';

const byId = <T>(rows: ConfigurationRow[], kind: string): Map<string, T> =>
  new Map(rows.filter((row) => row.kind === kind).map((row) => [row.id, row.data as T]));

/** Puts the site together from the rows of its configuration. */
export function buildSite(version: string, rows: ConfigurationRow[]): Site {
  const behaviors = byId<Behavior>(rows, KINDS.behavior);
  const known = new Map(behaviors);
  for (const behavior of behaviors.values())
    for (const alias of behavior.aliases ?? []) if (!known.has(alias)) known.set(alias, behavior);
  const definitions = byId<TypeDefinition>(rows, KINDS.type);
  return {
    version,
    behaviors,
    types: new Map([...definitions].map(([id, definition]) => [id, resolveType(definition, known)])),
    workflows: byId<WorkflowDefinition>(rows, KINDS.workflow),
    roles: [...byId<Role>(rows, KINDS.role).values()],
    roleMap: Object.fromEntries(byId<string[]>(rows, KINDS.permission)),
    actions: byId<Action[]>(rows, KINDS.action),
    settings: byId<Record<string, unknown>>(rows, KINDS.setting),
    userSchema: byId<Schema>(rows, KINDS.userSchema).get(USER_SCHEMA),
  };
}

/** A text value of a control panel. */
export function textSetting(site: Site, panel: string, name: string, fallback: string): string {
  const value = site.settings.get(panel)?.[name];
  return typeof value === 'string' ? value : fallback;
}

/** A list of strings of a control panel. */
export function listSetting(site: Site, panel: string, name: string): string[] {
  const value = site.settings.get(panel)?.[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
