import { CHANGE_FEED, ChangeFeed } from '../core/cache/change-feed.ts';
import { isUnread } from '../core/cache/change-triggers.ts';
import { KEPT_TOTALS, KeptTotals } from '../core/cache/kept-totals.ts';
import { UNWATCHED_TABLES, UnwatchedTables } from '../core/cache/unwatched-tables.ts';
import type { Config } from '../core/configuration/environment/config.ts';
import { ConfigError } from '../core/configuration/environment/setting-names.ts';
import { PanelRegistry } from '../core/configuration/panels/panel.ts';
import { withPloneSettings } from '../core/configuration/panels/plone-settings.ts';
import { SiteCache } from '../core/configuration/site/site-cache.ts';
import { VocabularyRegistry } from '../core/configuration/site/vocabulary.ts';
import { jsonFieldKinds } from '../core/content/fields/json.ts';
import type { BlobStore } from '../core/files/blobs/blob-store.ts';
import { OBSERVED, Observed } from '../core/http/observed.ts';
import { localeFiles, Messages } from '../core/i18n/messages.ts';
import { Events } from '../core/journal/bus.ts';
import { STEP_KINDS, StepKinds } from '../core/journal/steps.ts';
import { RULE_KINDS } from '../core/kernel/content-rules.ts';
import { JobActions, type Kernel, type Registries } from '../core/kernel/kernel.ts';
import { PROFILE_TABLES } from '../core/kernel/profile-table.ts';
import { UpgradeSteps } from '../core/kernel/upgrade-steps.ts';
import { CatalogRegistry } from '../core/search/catalog-registry.ts';
import { ACTION_CONDITIONS } from '../core/serializer/components/actions.ts';
import { KEPT_TREES, keptTrees } from '../core/serializer/components/kept-tree.ts';
import { COMPONENTS } from '../core/serializer/components.ts';
import { REPRESENTATION_PARTS } from '../core/serializer/object.ts';
import { LOADED_COLUMNS, SEARCH_SOURCES } from '../core/serializer/search-sources.ts';
import { checkFeature } from '../core/services/check-feature.ts';
import { type Feature, KERNEL_FEATURES, PACKAGE_LOADER } from '../core/services/feature.ts';
import { SERVICES, ServiceRegistry } from '../core/services/service-registry.ts';
import { BlockRegistry } from '../core/types/block.ts';
import { FieldKinds } from '../core/types/field-kinds.ts';
import { groupFieldKinds } from '../core/types/fields/groups.ts';
import type { Database } from '../database/database.ts';
import { type Log, packageFolder } from '../lib/process/process.ts';
import { Slots } from '../lib/slots.ts';
import { FEATURES } from './features.ts';
import { importInstalled } from './import-package.ts';

/** Maps things by their names. Throws when two have the same name, which is a programming error. */
function byName<T extends { name: string }>(what: string, things: readonly T[]): Map<string, T> {
  const named = new Map<string, T>();
  for (const thing of things) {
    if (named.has(thing.name)) throw new Error(`There are two ${what} ${thing.name}`);
    named.set(thing.name, thing);
  }
  return named;
}

/** All parts of one kind, in the order of the features. */
const partsOf = <T>(features: readonly Feature[], pick: (feature: Feature) => readonly T[] | undefined): T[] =>
  features.flatMap((feature) => pick(feature) ?? []);

/** Merges descriptions by their names. Throws when two features have the same name. */
function merged<T extends object>(kind: string, parts: readonly T[]): T {
  const names = parts.flatMap((part) => Object.keys(part).map((name) => ({ name })));
  byName(kind, names);
  return Object.assign({}, ...parts);
}

/** The events that features describe. */
const describedEvents = (features: readonly Feature[]) =>
  merged(
    'events',
    features.map(({ events }) => events ?? {}),
  );

/** The permissions that features declare. Throws when two features declare the same permission. */
function declaredPermissions(features: readonly Feature[]): Record<string, string[]> {
  const declared = partsOf(features, ({ permissions = {} }) =>
    Object.entries(permissions).map(([name, roles]) => ({ name, roles: [...roles] })),
  );
  return Object.fromEntries([...byName('permissions', declared)].map(([name, { roles }]) => [name, roles]));
}

/** The registries of the layers up to the kernel, with the parts of the features. Throws when two parts have the same name. */
export function createRegistries(features: readonly Feature[]): Registries {
  const jobActions = new JobActions();
  for (const action of partsOf(features, (feature) => feature.jobActions)) jobActions.register(action);
  const upgradeSteps = new UpgradeSteps();
  for (const step of partsOf(features, (feature) => feature.upgradeSteps)) upgradeSteps.register(step);
  const blocks = new BlockRegistry(partsOf(features, (feature) => feature.blocks));
  const { json, unknown } = jsonFieldKinds(blocks);
  const fieldKinds: FieldKinds = new FieldKinds(
    [...partsOf(features, (feature) => feature.fieldKinds), ...groupFieldKinds(() => fieldKinds), json],
    unknown,
  );
  return {
    blocks,
    fieldKinds,
    catalog: new CatalogRegistry({
      indexes: partsOf(features, (feature) => feature.indexes),
      columns: partsOf(features, (feature) => feature.columns),
    }),
    messages: new Messages(
      localeFiles(packageFolder('locales'), 'canopy'),
      partsOf(features, ({ messages }) => (messages === undefined ? undefined : [messages])),
    ),
    vocabularies: new VocabularyRegistry(partsOf(features, (feature) => feature.vocabularies)),
    panels: new PanelRegistry(withPloneSettings(partsOf(features, (feature) => feature.panels))),
    jobActions,
    upgradeSteps,
    guardConditions: byName(
      'conditions of guards',
      partsOf(features, (feature) => feature.guardConditions),
    ),
    permissions: declaredPermissions(features),
    healthChecks: byName(
      'health checks',
      partsOf(features, (feature) => feature.healthChecks),
    ),
    slots: fillSlots(features),
  };
}

/** Fills the slots in which the layers above the site keep their parts. */
function fillSlots(features: readonly Feature[]): Slots {
  const slots = new Slots();
  slots.set(KERNEL_FEATURES, features);
  slots.set(PACKAGE_LOADER, (name) => importInstalled(name, process.cwd()));
  const components = byName(
    'components',
    partsOf(features, (feature) => feature.components),
  );
  slots.set(COMPONENTS, new Map([...components].sort(([a], [b]) => (a < b ? -1 : 1))));
  slots.set(
    ACTION_CONDITIONS,
    byName(
      'conditions of actions',
      partsOf(features, (feature) => feature.actionConditions),
    ),
  );
  slots.set(RULE_KINDS, {
    conditions: byName(
      'conditions of rules',
      partsOf(features, (feature) => feature.ruleConditions),
    ),
    actions: byName(
      'actions of rules',
      partsOf(features, (feature) => feature.ruleActions),
    ),
  });
  const tables = partsOf(features, (feature) => feature.profileTables);
  slots.set(PROFILE_TABLES, new Map(tables.map((table) => [table.kind, table])));
  slots.set(
    REPRESENTATION_PARTS,
    partsOf(features, (feature) => feature.representation),
  );
  slots.set(
    SEARCH_SOURCES,
    partsOf(features, (feature) => feature.searchSources),
  );
  slots.set(
    LOADED_COLUMNS,
    partsOf(features, (feature) => feature.loadedColumns),
  );
  slots.set(
    STEP_KINDS,
    new StepKinds(
      merged(
        'steps',
        features.map(({ steps }) => steps ?? {}),
      ),
    ),
  );
  const services = new ServiceRegistry();
  for (const service of partsOf(features, (feature) => feature.services)) services.register(service);
  slots.set(SERVICES, services);
  return slots;
}

/** The parts that a kernel is made from. */
export type KernelParts = {
  config: Config;
  log: Log;
  db: Database;
  blobs: BlobStore;
  /** Features of packages from outside, after those of the program. */
  features?: readonly Feature[];
  /** The registries of all features (`assembleWith`), for this kernel alone; made here unless given. */
  registries?: Registries;
  /** True to open a site that may be broken, for repair. */
  repair?: boolean;
};

/** Makes the registries of all features. Throws when two features claim the same name. */
function assemble(features: readonly Feature[]): Registries {
  byName('features', features);
  byName(
    'tables',
    partsOf(features, (feature) => feature.tables),
  );
  byName(
    'commands',
    partsOf(features, (feature) => feature.commands),
  );
  byName(
    'pages of /@manage',
    partsOf(features, (feature) => feature.managePages),
  );
  byName(
    'checks of the site',
    partsOf(features, (feature) => feature.siteChecks),
  );
  describedEvents(features);
  return createRegistries(features);
}

/** Makes the registries of all features, including features from outside. Throws ConfigError, which names the feature that claims a taken name. */
export function assembleWith(more: readonly Feature[]): Registries {
  for (const feature of more) checkFeature(feature, `The feature "${feature.name}"`);
  try {
    return assemble([...FEATURES, ...more]);
  } catch (error) {
    const culprit = more.find((_, index) => !canAssemble([...FEATURES, ...more.slice(0, index + 1)]));
    if (!culprit || !(error instanceof Error)) throw error;
    throw new ConfigError(`The feature "${culprit.name}" cannot be used: ${error.message}.`, { cause: error });
  }
}

function canAssemble(features: readonly Feature[]): boolean {
  try {
    assemble(features);
    return true;
  } catch {
    return false;
  }
}

/**
 * Assembles the server, with all parts of the features. Throws ConfigError when a feature from outside cannot be used, because it has a wrong form or
 * claims a taken name.
 */
export function createKernel({
  config,
  log,
  db,
  blobs,
  features: more = [],
  registries = assembleWith(more),
  repair = false,
}: KernelParts): Kernel {
  const features = [...FEATURES, ...more];
  const sites = new SiteCache(db, registries, { tolerant: repair });
  const kernel: Kernel = {
    ...registries,
    config,
    log,
    db,
    blobs,
    sites,
    events: new Events(describedEvents(features)),
    hooks: {
      creating: partsOf(features, ({ hooks }) => hooks?.creating),
      changing: partsOf(features, ({ hooks }) => hooks?.changing),
    },
  };
  const observed = new Observed();
  kernel.slots.set(OBSERVED, observed);
  const changes = new ChangeFeed(kernel.db);
  kernel.slots.set(CHANGE_FEED, changes);
  const unwatched = new UnwatchedTables(
    partsOf(features, ({ tables }) => tables?.filter(isUnread)).map(({ name }) => name),
  );
  kernel.slots.set(UNWATCHED_TABLES, unwatched);
  kernel.slots.set(KEPT_TOTALS, new KeptTotals(changes, unwatched, observed.caches));
  kernel.slots.set(KEPT_TREES, keptTrees(changes, observed.caches.trees));
  for (const feature of features) feature.subscribe?.(kernel);
  return kernel;
}
