/**
 * `#core`: what features, and packages by way of `canopy`, use of the core. A name that is not here belongs to its room.
 */
// biome-ignore-all assist/source/organizeImports: the exports are grouped by room

// http
export * as outsideCaches from './face/outside-caches.ts';
export * as requests from './face/requests.ts';

// services
export * as batching from './face/batching.ts';
export * as downloads from './face/downloads.ts';
export * as schemas from './face/schemas.ts';
export * as versions from './services/versions.ts';
export {
  type AuthenticatorOf,
  type BackgroundWork,
  defineFeature,
  type Feature,
  KERNEL_FEATURES,
} from './services/feature.ts';
export {
  defineService,
  noContent,
  ok,
  type RequestContext,
  type Service,
  type ServiceResponse,
} from './services/service.ts';
export { fieldSchema } from './services/field-schema.ts';

// serializer
export * as coreComponents from './face/core-components.ts';
export * as representation from './face/representation.ts';
export * as searchResults from './face/search-results.ts';
export { type Component, componentUrl } from './serializer/components.ts';
export { type RenderContext, urlOf } from './serializer/render-context.ts';
export type { LoadedColumns, SearchSource } from './serializer/search-sources.ts';

// profiles
export * as profiles from './face/profiles.ts';
export * as pieceUse from './profiles/piece-use.ts';
export * as profileTables from './profiles/profile-tables.ts';

// content
export * as markdown from './content/blocks/markdown.ts';
export { internalPath } from './content/blocks/internal-path.ts';
export { parseReference, storedReference } from './content/blocks/resolve-uid.ts';
export { mapBlocks } from './content/blocks/walk.ts';
export { copyTo, copyWithin } from './content/copy-content.ts';
export { createContent, createWithin, requireType } from './content/create-content.ts';
export { checkJson } from './content/fields/check-json.ts';
export { requireFileField, typeForFile } from './content/file-types.ts';
export { catalogRowOf, referencesOf, wordsOfContent } from './content/index-content.ts';
export { isRoot, locate, locateAllForWrite, locateForWrite, type LookupResult } from './content/locate.ts';
export { activeLock, requireUnlocked, workingCopyLock } from './content/locking.ts';
export { moveInto, moveWithin, renameContent } from './content/move-content.ts';
export { freeName, MAX_PATH_BYTES } from './content/name-chooser.ts';
export { parseChange } from './content/parse-change.ts';
export {
  allowsDiscussion,
  has,
  mayReadReviews,
  reject,
  requirePermission,
  rolesAt,
  securityChain,
  securityNode,
  takesType,
} from './content/permissions.ts';
export { plainText } from './content/plain-text.ts';
export { cleanFilename, cleanMediaType, headOf, prepareFiles } from './content/prepare-files.ts';
export { prepareHtml } from './content/prepare-html.ts';
export { relationEnds, resolverFor } from './content/references.ts';
export { catalogRowsOf, reindexIn, reindexSite } from './content/reindex-site.ts';
export { requireAddable } from './content/relocate.ts';
export { removeLocked, removeWithin } from './content/remove-content.ts';
export { dropLocalRoles, indexSecurity } from './content/security-index.ts';
export { startingValue } from './content/starting-value.ts';
export { setPositions } from './content/statements/child-order.ts';
export * as contentRows from './content/statements/content-rows.ts';
export { lockRows, pathOf, searchObjects } from './content/statements/load-content.ts';
export * as redirectRows from './content/statements/redirects.ts';
export {
  CLOSED_LINK_RELATION,
  findTargets,
  insertReferences,
  LINK_RELATION,
  pathsOfUids,
  replaceReferences,
  resolveReferences,
  type TargetRow,
} from './content/statements/references.ts';
export { hasChild } from './content/statements/subtrees.ts';
export { typesInUse } from './content/statements/type-use.ts';
export { addHistory, type HistoryEntry, moveStates, type StateMove } from './content/statements/workflow-history.ts';
export { updateContentRow } from './content/statements/write-content.ts';
export { MAX_COMMENT_LENGTH, transitionWithin } from './content/transition-content.ts';
export { childPath, isAtOrBelow, namesOf, parentPath, pathsTo, ROOT } from './content/tree-path.ts';
export { requireUniqueSite } from './content/unique-values.ts';
export { updateContent, updateWithin } from './content/update-content.ts';
export { checkInvariants, isWritable, joinColumns, splitColumns } from './content/values.ts';
export { hasVersions, LAYOUT, resolvedVersion, versionedTypes } from './content/versions.ts';
export { replaceStored, writeChange } from './content/write-change.ts';

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
export * as contentRules from './face/content-rules.ts';
export type { Command } from './kernel/command.ts';
export type {
  HealthCheck,
  JobAction,
  Kernel,
  MailKind,
} from './kernel/kernel.ts';
export type { ProfileTable } from './kernel/profile-table.ts';

// configuration
export * as configuration from './face/configuration.ts';
export * as controlPanels from './face/control-panels.ts';
export * as profileFiles from './face/profile-files.ts';
export * as publishing from './face/publishing.ts';
export * as siteAddress from './face/site-address.ts';
export * as sitePieces from './face/site-pieces.ts';
export * as siteSettings from './face/site-settings.ts';
export { ConfigError } from './configuration/environment/config.ts';
export * as panels from './configuration/panels/core-panels.ts';
export * as settings from './configuration/panels/setting-forms.ts';
export { definePanel, type Panel, panelSettings, type Setting } from './configuration/panels/panel.ts';
export { say, titledIn } from './configuration/site/localized-site.ts';
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
export * as accountRows from './people/statements/account-rows.ts';
export * as groupRows from './people/statements/group-rows.ts';

// search
export * as indexes from './search/indexes/basic.ts';
export type { CatalogIndex } from './search/catalog-index.ts';
export { ofContent } from './search/expression.ts';
export { type CatalogQuery, constraint } from './search/query.ts';
export {
  insertCatalogRows,
  reindexNodes,
  reindexObjects,
  subtreeNodes,
  writeCatalogRows,
} from './search/statements/catalog.ts';
export {
  AT_OR_BELOW,
  LISTED_COLUMNS,
  NODE_COLUMNS,
  OBJECT_COLUMNS,
  UNPACKED,
} from './search/statements/fragments.ts';
export { nodeFields } from './search/statements/node-fields.ts';
export { type Viewers, type ViewRule, viewed } from './search/statements/view-rule.ts';
export { stemmerFor, wordsOf } from './search/text.ts';

// types
export { BlockRegistry, defineBlock, type MarkdownContext } from './types/block.ts';
export type {
  ContentChange,
  ContentObject,
  NewContent,
  ResolvedNode,
  TreeNode,
} from './types/content-row.ts';
export { type ContentType, type Field, resolveType } from './types/content-type.ts';
export type { Behavior, Fieldset, Property, Schema, TypeDefinition } from './types/definition.ts';
export {
  FieldError,
  type FieldKind,
  NO_REFERENCES,
  PreparedFile,
  ReceivedBytes,
  type StoredFile,
  type ReadContext,
} from './types/field-kind.ts';
export { FieldKinds } from './types/field-kinds.ts';
export { isStoredFile } from './types/fields/files.ts';
export { groupBoundProblems, memberProblem } from './types/group-schema.ts';
export { isOpen } from './types/index-kinds.ts';

// files
export { type BlobInfo, BlobMissing, type BlobStore } from './files/blobs/blob-store.ts';
export { scaleToFit } from './files/images/make-scale.ts';
export { measureImage } from './files/images/measure-image.ts';
export * as uploadArea from './files/blobs/upload-area.ts';

// queue
export * as claims from './face/claims.ts';
export * as mailing from './face/mailing.ts';
export * as queue from './face/queue.ts';

// security
export * as callers from './face/callers.ts';
export * as security from './face/security.ts';
export type { Caller } from './security/caller.ts';
export * as permissions from './security/permissions.ts';
export { ADD, DELETE, MANAGE_PORTAL, MODIFY, VIEW } from './security/permissions.ts';

// i18n
export { nativeLanguageTitle } from './i18n/languages.ts';
export { message } from './i18n/messages.ts';

// cache
export { loadSiteChanges, pollSiteChanges } from './cache/statements/site-changes.ts';

// database
export type { Database, Queryable, Transaction, TransactionOrigin } from '../database/database.ts';
export { type CacheTags, cacheTagsOf, type ChangedTags } from '../database/cache-tags.ts';
export { forward } from '../database/forward.ts';
export { holdFolder } from '../database/pglite/data-lock.ts';
export { forgetMigrations } from '../database/migrate.ts';
export { REPLICAS } from '../database/replicas.ts';
export { rehearse } from '../database/rehearse.ts';
export { inSavepoint, withSavepoint } from '../database/savepoint.ts';
export { brokenUniqueConstraint, isCollision, sqlState } from '../database/transactions.ts';
