import type { SiteReader } from '@canopy-server/site-reader';
import type { Transaction } from '../../database/database.ts';
import { Slot } from '../../lib/slots.ts';
import type { Panel } from '../configuration/panels/panel.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Vocabulary } from '../configuration/site/vocabulary.ts';
import type { GuardCondition, WorkflowDefinition } from '../configuration/workflow/workflow.ts';
import type { MessageSource } from '../i18n/messages.ts';
import type { EventDescriptions } from '../journal/event-description.ts';
import type { EventName } from '../journal/events.ts';
import type { StepAction, StepDescriptions } from '../journal/steps.ts';
import type { Command } from '../kernel/command.ts';
import type { RuleAction, RuleCondition } from '../kernel/content-rules.ts';
import type { FeatureSchedule, HealthCheck, Hooks, JobAction, Kernel, MailKind } from '../kernel/kernel.ts';
import type { ProfileTable } from '../kernel/profile-table.ts';
import type { SiteCheck } from '../kernel/site-check.ts';
import type { SiteTable } from '../kernel/site-tables.ts';
import type { UpgradeStep } from '../kernel/upgrade-steps.ts';
import type { Authenticator } from '../people/authenticator.ts';
import type { AuthContext } from '../people/login.ts';
import type { SecondFactor } from '../people/second-factor.ts';
import type { CatalogIndex } from '../search/catalog-index.ts';
import type { CatalogColumn } from '../search/catalog-registry.ts';
import type { Caller } from '../security/caller.ts';
import type { ActionCondition } from '../serializer/components/actions.ts';
import type { Component } from '../serializer/components.ts';
import type { RepresentationPart } from '../serializer/object.ts';
import type { LoadedColumns, SearchSource } from '../serializer/search-sources.ts';
import type { Block } from '../types/block.ts';
import type { Behavior, TypeDefinition } from '../types/definition.ts';
import type { FieldKind } from '../types/field-kind.ts';
import type { ManagePage } from './manage-page.ts';
import type { Service } from './service.ts';
import type { SitePreview } from './site-preview.ts';

/** Work of a serving process that goes on until it is closed. */
export type BackgroundWork = {
  close(): Promise<void>;
  /** Ends the responses that wait for this work, and starts no further ones, before the server closes its connections. */
  release?(): void;
};

/**
 * Additions of a feature to the configuration of a site: data, in the form of an add-on (docs/add-ons.md). `@addons` offers it
 * under the name of the feature; Managers install, upgrade and uninstall it there.
 */
export type FeatureProfile = {
  /**
   * The folder of an add-on: `metadata.json`, `types/`, `behaviors/`, `workflows/`, `permissions.json`, `settings.json`,
   * `content.json`. The `id` of its metadata is the name of the feature.
   */
  folder?: string | URL;
  /**
   * Needed without a folder; with a folder its metadata has title and version. `version` is a whole number as text; a greater number is an upgrade.
   */
  title?: string;
  description?: string;
  version?: string;
  /** Types, behaviors and workflows in addition to those of the folder. */
  types?: readonly TypeDefinition[];
  behaviors?: readonly Behavior[];
  workflows?: readonly WorkflowDefinition[];
  /** The start of the server installs the profile, or upgrades an older version. The site cannot uninstall it then. */
  autoInstall?: boolean;
  /**
   * Runs when a site installs the profile, after its pieces, settings and content, in the same transaction: an error undoes the whole installation.
   * For work that no file can describe, such as content that depends on the site.
   */
  installed?(change: ProfileChange): Promise<void>;
  /**
   * Runs before a site uninstalls the profile, in the same transaction: an error keeps the add-on on the site, and a ClientError is shown as the
   * reason.
   */
  uninstalling?(change: ProfileChange): Promise<void>;
};

/** Context of the hooks of a profile. `caller` is the Manager, or the site itself where the start installs. */
export type ProfileChange = { kernel: Kernel; tx: Transaction; caller: Caller };

/**
 * Everything that one subject brings to the server. The kernel builds all its registries from a list of features: those of
 * the program (`app/features.ts`) and those of packages from outside. A name that another feature has taken stops the
 * start.
 */
export type Feature = {
  /** The name of the feature in messages. */
  name: string;
  /** Endpoints. */
  services?: readonly Service[];
  /** Parts that requests can embed in the representation of content (`@components`). */
  components?: readonly Component[];
  /** Keys that every representation of content gets. */
  representation?: readonly RepresentationPart[];
  /** Conditions that actions of profiles can name. */
  actionConditions?: readonly ActionCondition[];
  /** Control panels with their settings. */
  panels?: readonly Panel[];
  vocabularies?: readonly Vocabulary[];
  /** Names that searches can use. */
  indexes?: readonly CatalogIndex[];
  /** Names that listings can show (`metadata_fields`). */
  columns?: readonly CatalogColumn[];
  /** Columns whose values are loaded for all results of a page at once. */
  loadedColumns?: readonly LoadedColumns[];
  /** Sources of search results that are not content, by type. */
  searchSources?: readonly SearchSource[];
  /** Kinds of fields that types can use as `factory` or `widget`. */
  fieldKinds?: readonly FieldKind[];
  /** Types of blocks: how they are stored, served, searched and written in Markdown. */
  blocks?: readonly Block[];
  /** Work in the background that jobs can name. */
  jobActions?: readonly JobAction[];
  /** Jobs that start by themselves, by a cron expression. */
  schedules?: readonly FeatureSchedule[];
  /** Kinds of mails that are composed when they are sent. A whole mail needs no kind of its own. */
  mails?: readonly MailKind[];
  /** Events of its own, each with everything that follows from it. Their types are added to `ContentEvents`. */
  events?: Partial<EventDescriptions<EventName>>;
  /** Kinds of steps of its own in transactions. Their data are added to `StepData`. */
  steps?: Partial<StepDescriptions<StepAction>>;
  /** Kinds of conditions that content rules can have. */
  ruleConditions?: readonly RuleCondition[];
  /** Kinds of actions that content rules can have. */
  ruleActions?: readonly RuleAction[];
  /** Ways to authenticate beside passwords and session tokens, made for each server. */
  authenticators?: readonly AuthenticatorOf[];
  /** Ways to show the site as it would be after some work. */
  previews?: readonly SitePreview[];
  /** Proofs that `@login` can require after the password. */
  secondFactors?: readonly ((server: { kernel: Kernel; auth: () => AuthContext }) => SecondFactor)[];
  /** Providers that people can log in with, which `GET @login` lists. */
  loginOptions?: readonly LoginOptions[];
  /** Pages of its own in `/@manage`, for those who run the site. */
  managePages?: readonly ManagePage[];
  /** Checks in the response of `@health`. */
  healthChecks?: readonly HealthCheck[];
  /** Code that runs when the site is upgraded. */
  upgradeSteps?: readonly UpgradeStep[];
  /** Translations of its texts, such as `new URL('messages/', import.meta.url)`: a folder with a file `<language>.po` for each language. */
  messages?: MessageSource;
  /** Conditions that guards of transitions can name. */
  guardConditions?: readonly GuardCondition[];
  /**
   * Permissions of its own, each with the roles that have it on sites without other settings. `Manager` has a permission only if listed. `Anonymous`
   * stands for everybody, `Authenticated` for all users who are logged in.
   */
  permissions?: Readonly<Record<string, readonly string[]>>;
  /** Types, behaviors, workflows, settings and content that a site takes on. */
  profile?: FeatureProfile;
  /** Pieces of profiles that the feature stores in its own tables. */
  profileTables?: readonly ProfileTable[];
  /**
   * A folder of SQL files `NNNN_name.sql` for tables of its own. The start runs each file once for each database, after the files of the program and
   * in the order of their numbers. A file that was released is never changed.
   */
  migrations?: string | URL;
  /** Handling of the rows of its tables when the site is exported. Each table of the database is declared once. */
  tables?: readonly SiteTable[];
  /** Commands of the command line. */
  commands?: readonly Command[];
  /** Readers of other sites, for `canopy import`. A reader loads its code when it opens a source. */
  readers?: readonly SiteReader[];
  /** Checks of the data of the feature, for `canopy check`. */
  siteChecks?: readonly SiteCheck[];
  /** Functions that the feature adds to writes of the core. */
  hooks?: Partial<Hooks>;
  /** Runs once for each kernel, in the order of the features: subscribes to events, and fills slots with data that the feature keeps in memory. */
  subscribe?(kernel: Kernel): void;
  /** Begins work in the background of a process that serves the site. */
  start?(kernel: Kernel): Promise<BackgroundWork>;
};

/** Makes an authenticator for a server. `auth` may be called once requests arrive. */
export type AuthenticatorOf = (server: { kernel: Kernel; auth: () => AuthContext }) => Authenticator;

/** A provider that people can log in with, in the form that Volto takes; Volto sends people to `url`. */
export type LoginOption = { id: string; plugin: string; title: string; url: string };

/** Finds the providers of one kind that the site offers. `base` is the address of the site. */
export type LoginOptions = (context: { kernel: Kernel; site: Site; base: string }) => readonly LoginOption[];

/** The features of a kernel. */
export const KERNEL_FEATURES = new Slot<readonly Feature[]>('features');

/**
 * Imports the default export of a package that is installed in the working folder or with the server; undefined for a package that is not installed.
 * Throws ConfigError for a package that cannot be loaded.
 */
export const PACKAGE_LOADER = new Slot<(name: string) => Promise<unknown>>('loader of packages');

/** Declares a feature. It only checks the declaration against its type. */
export const defineFeature = (feature: Feature): Feature => feature;
