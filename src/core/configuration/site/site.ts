import type { Slots } from '../../../lib/slots.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { CatalogRegistry, CatalogSchema } from '../../search/catalog-registry.ts';
import type { RoleMap } from '../../security/can.ts';
import type { BlockRegistry } from '../../types/block.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { Behavior, Schema } from '../../types/definition.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import type { VocabularyDefinition } from '../../types/vocabularies/vocabulary-definition.ts';
import type { PanelRegistry } from '../panels/panel.ts';
import type { GuardConditions, WorkflowDefinition } from '../workflow/workflow.ts';
import type { InstalledAddon } from './addon.ts';
import { LOGIN_PROVIDER, type ProviderData } from './login-provider.ts';
import type { VocabularyRegistry } from './vocabulary.ts';

export type Role = { id: string; title: string; description?: string };

/** An action of a menu, see `@actions`. Placeholders in `url`: `${object_url}`, `${navigation_root_url}`, `${portal_url}`. */
export type Action = {
  id: string;
  title: string;
  url?: string;
  icon?: string;
  permission?: string;
  condition?: string;
};

/** Declarations of the server's features for sites. */
export type SiteRegistries = {
  blocks: BlockRegistry;
  fieldKinds: FieldKinds;
  catalog: CatalogRegistry;
  /** The texts of the server in other languages than English. */
  messages: Messages;
  vocabularies: VocabularyRegistry;
  panels: PanelRegistry;
  guardConditions: GuardConditions;
  /** Permissions that features declare, with their default roles. */
  permissions: RoleMap;
  /** Values that layers above the configuration store in the kernel, see `Slot`. */
  slots: Slots;
};

/** The configuration of the site in memory: immutable, replaced as a whole when its version changes. */
export type Site = {
  version: string;
  /** The language of its titles for a reader, see `localizedSite`; absent if the titles are as stored. */
  language?: string;
  types: ReadonlyMap<string, ContentType>;
  behaviors: ReadonlyMap<string, Behavior>;
  workflows: ReadonlyMap<string, WorkflowDefinition>;
  registries: SiteRegistries;
  /** The indexes and columns of the site. */
  catalog: CatalogSchema;
  /** Vocabularies that are data; `registries.vocabularies` finds all vocabularies. */
  vocabularies: ReadonlyMap<string, VocabularyDefinition>;
  roles: readonly Role[];
  /** The default roles of each permission. */
  roleMap: RoleMap;
  /** Actions by category, in order. */
  actions: ReadonlyMap<string, Action[]>;
  /** Values of the control panels, by panel. */
  settings: ReadonlyMap<string, Record<string, unknown>>;
  /** The fields of users; undefined for the default fields. */
  userSchema: Schema | undefined;
  /** Login providers of the site, by id, in order, without the providers of the environment. */
  loginProviders: ReadonlyMap<string, ProviderData>;
  /** Records of the installed add-ons, by add-on. */
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
  loginProvider: LOGIN_PROVIDER,
  addon: 'addon',
};

/** The only row of the kind `userschema`. */
export const USER_SCHEMA = 'user';
