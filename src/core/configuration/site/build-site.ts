import { CatalogSchema } from '../../search/catalog-registry.ts';
import { declareCatalog } from '../../search/declare-catalog.ts';
import { resolveType } from '../../types/content-type.ts';
import type { Behavior, Schema, SiteColumn, SiteIndex, TypeDefinition } from '../../types/definition.ts';
import { parseVocabularyData } from '../../types/vocabularies/vocabulary-definition.ts';
import type { ConfigurationRow } from '../statements/configuration.ts';
import type { WorkflowDefinition } from '../workflow/workflow.ts';
import type { InstalledAddon } from './addon.ts';
import { configuredFields, withTerms } from './field-terms.ts';
import type { ProviderData } from './login-provider.ts';
import { speaksPlone, withPloneNames } from './plone-names.ts';
import { type Action, KINDS, type Role, type Site, type SiteRegistries, USER_SCHEMA } from './site.ts';

const byId = <T>(rows: ConfigurationRow[], kind: string): Map<string, T> =>
  new Map(rows.filter((row) => row.kind === kind).map((row) => [row.id, row.data as T]));

/**
 * Puts the site together from the rows of its configuration. Throws BadRequest for impossible declarations of indexes, columns or vocabularies: a
 * change of the configuration builds the site in the same transaction. `tolerant` leaves out impossible indexes and columns.
 */
export function buildSite(
  version: string,
  rows: ConfigurationRow[],
  registries: SiteRegistries,
  { tolerant = false }: { tolerant?: boolean } = {},
): Site {
  const definitions = byId<TypeDefinition>(rows, KINDS.type);
  const stored = byId<Behavior>(rows, KINDS.behavior);
  const behaviors = speaksPlone({ types: definitions }) ? withPloneNames(stored) : stored;
  const known = new Map(behaviors);
  for (const behavior of behaviors.values())
    for (const alias of behavior.aliases ?? []) if (!known.has(alias)) known.set(alias, behavior);
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
    tolerant,
  );
  const site: Site = {
    version,
    registries,
    behaviors,
    types: complete,
    catalog: new CatalogSchema(registries, complete),
    workflows: byId<WorkflowDefinition>(rows, KINDS.workflow),
    vocabularies: new Map(
      [...byId<unknown>(rows, KINDS.vocabulary)].map(([id, data]) => [id, parseVocabularyData(id, data)]),
    ),
    roles: [...byId<Role>(rows, KINDS.role).values()],
    roleMap: { ...registries.permissions, ...Object.fromEntries(byId<string[]>(rows, KINDS.permission)) },
    actions: byId<Action[]>(rows, KINDS.action),
    settings,
    userSchema: byId<Schema>(rows, KINDS.userSchema).get(USER_SCHEMA),
    loginProviders: byId<ProviderData>(rows, KINDS.loginProvider),
    addons: byId<InstalledAddon>(rows, KINDS.addon),
  };
  return site;
}
