/** `#core`: the names of the core for features, and by `canopy-server/core` for packages. A name that is not here is internal to its folder. */
// biome-ignore-all assist/source/organizeImports: the exports are grouped by room

// http
/** Headers and slots that tell caches outside of the server how long a response is valid. */
export * as outsideCaches from './face/outside-caches.ts';
export * as negotiation from './face/negotiation.ts';
export * as rehearsing from './face/rehearsing.ts';
export * as requests from './face/requests.ts';
export * as requestsWithin from './face/requests-within.ts';
export { METRICS_PAGE, type MetricsPage, OBSERVED } from './http/observed.ts';
export { OUTCOMES } from './http/request-counts.ts';

// services
export * as batching from './face/batching.ts';
export * as downloads from './face/downloads.ts';
export * as requestBatches from './face/request-batches.ts';
export * as schemas from './face/schemas.ts';
/** Earlier versions of content: requested by the query, loaded, represented. */
export * as versions from './services/versions.ts';
export {
  type AuthenticatorOf,
  type BackgroundWork,
  defineFeature,
  type Feature,
  KERNEL_FEATURES,
  PACKAGE_LOADER,
} from './services/feature.ts';
export { created, noContent, ok, type ResultOf, type ServiceResponse } from './services/response.ts';
export type { ManagePage } from './services/manage-page.ts';
export { defineService, notFoundHere, type RequestContext, type Service } from './services/service.ts';
export { fieldSchema, Form, formOf } from './services/field-schema.ts';
export * as apiDescription from './face/api-description.ts';

// serializer
export * as coreComponents from './face/core-components.ts';
export * as representation from './face/representation.ts';
export * as searchResults from './face/search-results.ts';
export { type Component, componentUrl, defineComponent } from './serializer/components.ts';
export { type RenderContext, urlOf } from './serializer/render-context.ts';
export type { LoadedColumns, SearchSource } from './serializer/search-sources.ts';

// profiles
export * as profiles from './face/profiles.ts';
/** Uses of pieces of the configuration, such as a role or a workflow, which keep them from being removed. */
export * as pieceUse from './profiles/piece-use.ts';
/** Rows of profiles that are stored in tables instead of the configuration. */
export * as profileTables from './profiles/profile-tables.ts';

// content
export * as access from './face/access.ts';
export * as contentPath from './face/content-path.ts';
export * as contentRows from './face/content-rows.ts';
export * as contentStates from './face/content-states.ts';
export * as fieldDefinitions from './face/field-definitions.ts';
export * as fieldValues from './face/field-values.ts';
/** The catalog, the index of viewers and the references of content: write and rebuild them. */
export * as indexing from './content/indexing.ts';
export * as locks from './face/locks.ts';
export * as merging from './face/merging.ts';
export * as markdown from './content/blocks/markdown.ts';
/** Rows of old addresses. */
export * as redirectRows from './content/statements/redirects.ts';
export * as references from './face/references.ts';
export * as searchWords from './face/search-words.ts';
export * as storedFiles from './face/stored-files.ts';
export * as tree from './face/tree.ts';
export * as workflowHistory from './face/workflow-history.ts';
export { mapBlocks } from './content/blocks/walk.ts';
export { findContent, locate, locateAllForWrite, locateForWrite } from './content/locate.ts';
export { has, reject, requirePermission } from './content/permissions.ts';
export { queryContent } from './content/query-content.ts';
export { findContents } from './content/statements/load-content.ts';
export { typesInUse } from './content/statements/type-use.ts';
export { transitionContent } from './content/transition-content.ts';
export { requireUniqueSite } from './content/unique-values.ts';

// journal
export * as audit from './face/audit.ts';
export * as journal from './face/journal.ts';
export type { EventDescriptions, RuleDetails, RuleTriggers } from './journal/event-description.ts';
export type {
  ContentEvents,
  EventName,
  SiteChange,
} from './journal/events.ts';
export type { StepData } from './journal/steps.ts';

// kernel
export {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  type CommandReport,
  EXIT,
  UsageError,
} from './kernel/command.ts';
export * as contentRules from './face/content-rules.ts';
export type { FoundProblems, SiteCheck } from './kernel/site-check.ts';
export { objectWindows } from './content/check-tree.ts';
export type {
  HealthCheck,
  JobAction,
  Kernel,
  MailKind,
  Observation,
} from './kernel/kernel.ts';
export { kernelWithin } from './kernel/kernel-within.ts';
export type { ProfileTable } from './kernel/profile-table.ts';
export type { SiteTable } from './kernel/site-tables.ts';

// configuration
export * as configuration from './face/configuration.ts';
export * as controlPanels from './face/control-panels.ts';
export * as profileFiles from './face/profile-files.ts';
export * as publishing from './face/publishing.ts';
export * as siteAddress from './face/site-address.ts';
export * as sitePieces from './face/site-pieces.ts';
export * as siteSettings from './face/site-settings.ts';
export type { Config } from './configuration/environment/config.ts';
export { ConfigError } from './configuration/environment/setting-names.ts';
/** The control panels of the core. */
export * as panels from './configuration/panels/core-panels.ts';
export { definePanel, type Panel, panelSettings, type Setting } from './configuration/panels/panel.ts';
/** Functions that declare the settings of a panel. */
export * as settings from './configuration/panels/setting-forms.ts';
export { localizedSite, say, titledIn } from './configuration/site/localized-site.ts';
/** Login providers, as pieces of the configuration. */
export * as loginProvider from './configuration/site/login-provider.ts';
export { speaksPlone } from './configuration/site/plone-names.ts';
export type { Site } from './configuration/site/site.ts';
export type { SiteVocabulary } from './configuration/site/vocabulary.ts';
export { stateOf, type WorkflowDefinition, workflowOf } from './configuration/workflow/workflow.ts';

// people
export * as accounts from './face/accounts.ts';
export * as logins from './face/logins.ts';
export * as passwords from './face/passwords.ts';
export * as requestLimits from './face/request-limits.ts';
export * as secretBox from './face/secret-box.ts';
export type { Authenticator } from './people/authenticator.ts';
/** Statements that write accounts. */
export * as accountRows from './people/statements/account-rows.ts';
/** Statements that write groups and their members. */
export * as groupRows from './people/statements/group-rows.ts';

// search
export * as contentSql from './face/content-sql.ts';
/** Functions that make indexes of the catalog. */
export * as indexes from './search/indexes/basic.ts';
export type { CatalogIndex } from './search/catalog-index.ts';
export { ofContent } from './search/expression.ts';
export { type CatalogQuery, constraint } from './search/query.ts';
export { nodeFields } from './search/statements/node-fields.ts';

// types
export { defineBlock, type MarkdownContext } from './types/block.ts';
export type { ContentChange, ContentObject, PlacedNode, ResolvedNode, TreeNode } from './types/content-row.ts';
export { type ContentType, type Field, resolveType } from './types/content-type.ts';
export type { Behavior, Fieldset, Property, Schema, TypeDefinition } from './types/definition.ts';
export {
  FieldError,
  type FieldKind,
  NO_REFERENCES,
  PreparedFile,
  ReceivedBytes,
  type StoredFile,
} from './types/field-kind.ts';
export type { FieldKinds } from './types/field-kinds.ts';
export { isStoredFile } from './types/fields/files.ts';
export { isOpen } from './types/index-kinds.ts';

// files
export * as fileStores from './face/file-stores.ts';
/** The place of the parts of uploads until the uploads are complete. */
export * as uploadArea from './files/blobs/upload-area.ts';

// queue
export * as claims from './face/claims.ts';
export * as mailing from './face/mailing.ts';
export * as queue from './face/queue.ts';

// security
export type { Caller } from './security/caller.ts';
export { ADD, DELETE, MANAGE_PORTAL, MODIFY, VIEW } from './security/permissions.ts';
export * as callers from './face/callers.ts';
export * as security from './face/security.ts';
/** Names of the permissions of the core. */
export * as permissions from './security/permissions.ts';

// i18n
export { nativeLanguageTitle } from './i18n/languages.ts';
export { message } from './i18n/messages.ts';

// cache
export { CHANGE_FEED } from './cache/change-feed.ts';
/** Reads the changes of the site by which caches are invalidated. */
export * as siteChanges from './cache/statements/site-changes.ts';

// database
export * as databases from './face/databases.ts';
export { firstRow, hasRows } from '../database/rows.ts';
export { type CommitStage, type Database, type Queryable, type Transaction, traceOf } from '../database/database.ts';
export { type CacheTags, cacheTagsOf } from '../database/cache-tags.ts';
export { forward } from '../database/forward.ts';
export { holdFolder } from '../database/pglite/data-lock.ts';
export { forgetMigrations } from '../database/migrate.ts';
export { REPLICAS } from '../database/replicas.ts';
export { rehearse } from '../database/rehearse.ts';
export { inSavepoint, withSavepoint } from '../database/savepoint.ts';
export { singleText } from '../database/single-text.ts';
/** Errors of the database by their meaning. */
export * as sqlErrors from '../database/sql-errors.ts';
