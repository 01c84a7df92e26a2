import { CatalogSchema } from '../catalog/catalog-registry.ts';
import { declareCatalog } from '../catalog/declare-catalog.ts';
import type { RoleMap } from '../security/can.ts';
import type { ConfigurationRow } from '../storage/statements/configuration.ts';
import { type ContentType, resolveType } from '../types/content-type.ts';
import type { Behavior, Schema, SiteColumn, SiteIndex, TypeDefinition } from '../types/definition.ts';
import { readVocabularyData, type VocabularyDefinition } from '../types/vocabularies/vocabulary-definition.ts';
import type { WorkflowDefinition } from '../workflow/workflow.ts';
import type { InstalledAddon } from './addon.ts';
import { configuredFields, withTerms } from './field-terms.ts';
import type { Registries } from './registries.ts';

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
  /** The language that its titles have been put into for a reader, see `localizedSite`; absent where they are as stored. */
  language?: string;
  types: ReadonlyMap<string, ContentType>;
  behaviors: ReadonlyMap<string, Behavior>;
  workflows: ReadonlyMap<string, WorkflowDefinition>;
  /** What the features of the server bring, for whatever is made of a site. */
  registries: Registries;
  /** The indexes and columns of the site. */
  catalog: CatalogSchema;
  /** Vocabularies that are data; `registries.vocabularies` knows all of them. */
  vocabularies: ReadonlyMap<string, VocabularyDefinition>;
  roles: readonly Role[];
  /** Permission to the roles that have it where nothing else is said. */
  roleMap: RoleMap;
  /** Actions by category, in order. */
  actions: ReadonlyMap<string, Action[]>;
  /** Values of the control panels, by panel. */
  settings: ReadonlyMap<string, Record<string, unknown>>;
  /** The fields of users, where they are not the usual ones. */
  userSchema: Schema | undefined;
  /** What add-ons have brought, by add-on. */
  addons: ReadonlyMap<string, InstalledAddon>;
};

/** Kinds of configuration rows; each is one folder or file of a profile. */
export const KINDS = {
  type: 'type',
  behavior: 'behavior',
  workflow: 'workflow',
  vocabulary: 'vocabulary',
  role: 'role',
  permission: 'permission',
  action: 'action',
  setting: 'setting',
  index: 'index',
  column: 'column',
  userSchema: 'userschema',
  addon: 'addon',
};

/** The only row of the kind `userschema`. */
export const USER_SCHEMA = 'user';

const byId = <T>(rows: ConfigurationRow[], kind: string): Map<string, T> =>
  new Map(rows.filter((row) => row.kind === kind).map((row) => [row.id, row.data as T]));

/**
 * Puts the site together from the rows of its configuration. Throws BadRequest when indexes, columns or vocabularies are
 * declared that cannot be: who changes the configuration builds the site in the same transaction.
 */
export function buildSite(version: string, rows: ConfigurationRow[], registries: Registries): Site {
  const behaviors = byId<Behavior>(rows, KINDS.behavior);
  const known = new Map(behaviors);
  for (const behavior of behaviors.values())
    for (const alias of behavior.aliases ?? []) if (!known.has(alias)) known.set(alias, behavior);
  const definitions = byId<TypeDefinition>(rows, KINDS.type);
  const settings = byId<Record<string, unknown>>(rows, KINDS.setting);
  const applySettings = configuredFields(registries.fieldKinds, settings);
  const parts = new Map([...known].map(([name, behavior]) => [name, applySettings(behavior)]));
  const types = new Map(
    [...definitions].map(([id, definition]) => [id, resolveType(applySettings(definition), parts)]),
  );
  const complete = declareCatalog(
    withTerms(registries.fieldKinds, types, () => site),
    {
      indexes: [...byId<SiteIndex>(rows, KINDS.index).values()],
      columns: [...byId<SiteColumn>(rows, KINDS.column).values()],
    },
    registries,
  );
  const site: Site = {
    version,
    registries,
    behaviors,
    types: complete,
    catalog: new CatalogSchema(registries, complete),
    workflows: byId<WorkflowDefinition>(rows, KINDS.workflow),
    vocabularies: new Map(
      [...byId<unknown>(rows, KINDS.vocabulary)].map(([id, data]) => [id, readVocabularyData(id, data)]),
    ),
    roles: [...byId<Role>(rows, KINDS.role).values()],
    roleMap: { ...registries.permissions, ...Object.fromEntries(byId<string[]>(rows, KINDS.permission)) },
    actions: byId<Action[]>(rows, KINDS.action),
    settings,
    userSchema: byId<Schema>(rows, KINDS.userSchema).get(USER_SCHEMA),
    addons: byId<InstalledAddon>(rows, KINDS.addon),
  };
  return site;
}
