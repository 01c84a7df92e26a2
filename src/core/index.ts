/**
 * `#core`: what features, and packages by way of `canopy-server`, use of the core. A name that is not here belongs to its room.
 */
// biome-ignore-all assist/source/organizeImports: the exports are grouped by room

// http
export {
  FOR_NOBODY_ELSE,
  MAX_MAKING_MS,
  OUTSIDE_CACHING,
  type OutsideCaching,
  type OutsideFacts,
  type OutsideHeaders,
} from './http/outside-caches.ts';
export { errorResponse } from './http/error-response.ts';
export { type AskApi, type Pages, PAGES } from './http/pages.ts';
export { type RequestAddress, requestAddress } from './http/request-address.ts';
export type { WireRequest } from './http/wire-request.ts';

// services
export * as versions from './services/versions.ts';
export { ContentRepresentation } from './services/content/content-object.ts';
export { RepresentationQuery } from './services/content/content-schemas.ts';
export { basesOf, headerOf, LOCK_TOKEN } from './services/content/represent-path.ts';
export {
  type AuthenticatorOf,
  type BackgroundWork,
  defineFeature,
  type Feature,
  type FeatureProfile,
  KERNEL_FEATURES,
} from './services/feature.ts';
export { cacheControl, dispositionOf, DispositionQuery, mediaTypeOf } from './services/files.ts';
export { loggedStream } from './services/logged-stream.ts';
export { endSession, startSession } from './services/login.ts';
export {
  AnyJson,
  AnyObject,
  Batching,
  BatchSize,
  Changes,
  Choice,
  Instant,
  Lenient,
  NoBody,
  Nullable,
  OpenObject,
  SentBack,
  sentBack,
  Text,
  Words,
} from './services/schemas.ts';
export { resultsAddress } from './services/search.ts';
export {
  defineService,
  isLoggedIn,
  noContent,
  ok,
  type RequestContext,
  type Service,
  type ServiceResponse,
} from './services/service.ts';
export { fieldSchema } from './services/field-schema.ts';

// serializer
export { batchLinks, batchOf, type BatchRequest, nextLink } from './serializer/batch.ts';
export { type Component, componentUrl } from './serializer/components.ts';
export { ACTION_CONDITIONS } from './serializer/components/actions.ts';
export { navigationRoot } from './serializer/components/chain.ts';
export { types } from './serializer/components/types.ts';
export { storedQuery } from './serializer/listing.ts';
export { renderObject } from './serializer/object.ts';
export { type RenderContext, urlOf } from './serializer/render-context.ts';
export { findByWords, findResults } from './serializer/search-results.ts';
export type { LoadedColumns, SearchSource } from './serializer/search-sources.ts';
export { allMetadata, chosenMetadata, summary } from './serializer/summary.ts';
export { loadTargets, uidsOf, visibleTargets } from './serializer/targets.ts';

// profiles
export { planContentJob } from './profiles/bring-content.ts';
export { followUpOf } from './profiles/content-follow-up.ts';
export * as profileTables from './profiles/profile-tables.ts';
export { checkTypeChange } from './profiles/change-type.ts';
export { loadSetupFolder, mergeSetup } from './profiles/merge-setup.ts';
export { applyProfileUpgrade, loadProfileUpgrade } from './profiles/profile-upgrade.ts';
export {
  type PlannedStep,
  planUpgrade,
  runSteps,
  UpgradeFailed,
  type UpgradeTarget,
} from './profiles/upgrade-profile.ts';
export * as pieceUse from './profiles/piece-use.ts';

// content
export * as access from './face/access.ts';
export * as contentPath from './face/content-path.ts';
export * as contentRows from './face/content-rows.ts';
export * as fieldValues from './face/field-values.ts';
export * as indexing from './content/indexing.ts';
export * as locks from './face/locks.ts';
export * as markdown from './content/blocks/markdown.ts';
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
export { type AuditEntry, auditNames } from './journal/audit-entry.ts';
export { REMOVED } from './journal/core-steps.ts';
export type { EventDescriptions, RuleDetails, RuleTriggers } from './journal/event-description.ts';
export type {
  ContentEvents,
  ContentPlace,
  DateChanges,
  EventName,
  PositionChange,
  Sharing,
  SiteChange,
} from './journal/events.ts';
export {
  type CoreSteps,
  namesInText,
  STEP_KINDS,
  type Step,
  type StepAction,
  type StepData,
  type StepDescriptions,
  type StepKinds,
  type StepOf,
} from './journal/steps.ts';

// kernel
export type { Command, CommandArguments } from './kernel/command.ts';
export {
  RULE_KINDS,
  type RuleAction,
  type RuleActionContext,
  type RuleCondition,
  type RuleContext,
  type RuleEvent,
} from './kernel/content-rules.ts';
export type {
  HealthCheck,
  JobAction,
  JobContext,
  JobStep,
  Kernel,
  MailKind,
  Observation,
} from './kernel/kernel.ts';
export type { ProfileTable, TableChange } from './kernel/profile-table.ts';
export type { KeptTable } from './kernel/site-tables.ts';

// configuration
export { ConfigError } from './configuration/environment/config.ts';
export { siteScales } from './configuration/panels/content.ts';
export { lastViewRule, viewersOf, viewRuleOf } from './configuration/panels/publishing.ts';
export { mailPanel, siteTimeZone } from './configuration/panels/general.ts';
export { isKnownLanguage, languagePanel, readerLanguage } from './configuration/panels/languages.ts';
export { searchPanel, typeChoices } from './configuration/panels/navigation.ts';
export { changeSettings, settingField, settingRows } from './configuration/panels/panel-change.ts';
export * as panels from './configuration/panels/core-panels.ts';
export {
  type Choices,
  definePanel,
  OVERVIEW,
  type Panel,
  panelSettings,
  type PanelValues,
  type Setting,
} from './configuration/panels/panel.ts';
export { choice, flag, json, kept, line, lines, list, textsOf, whole } from './configuration/panels/setting-forms.ts';
export { sitePanel } from './configuration/panels/site.ts';
export { maxUploadBytes } from './configuration/panels/uploads.ts';
export {
  fileEntries,
  isPieceFile,
  type ProfileRow,
  requireProfileRows,
} from './configuration/profiles/profile-rows.ts';
export { formProblems, RULE } from './configuration/profiles/profile-schema.ts';
export { profileFiles } from './configuration/profiles/profile-files.ts';
export { profileSteps } from './configuration/profiles/profile-step.ts';
export { loadFiles } from './configuration/profiles/profile.ts';
export { buildSite } from './configuration/site/build-site.ts';
export { missingPart, pieceName, typeWith } from './configuration/site/check-configuration.ts';
export { withTerms } from './configuration/site/field-terms.ts';
export { localizedSite, say, titledIn } from './configuration/site/localized-site.ts';
export * as loginProvider from './configuration/site/login-provider.ts';
export { speaksPlone } from './configuration/site/plone-names.ts';
export { contentAddress, frontendAddress, publicAddress } from './configuration/site/public-address.ts';
export {
  mailLanguage,
  mailWords,
  NO_MAIL_HOST,
  siteMailHost,
} from './configuration/site/site-mail.ts';
export { delegationOf, knownPermissions } from './configuration/site/site-permissions.ts';
export { KINDS, type Role, type Site, USER_SCHEMA } from './configuration/site/site.ts';
export type { SiteVocabulary } from './configuration/site/vocabulary.ts';
export {
  type ConfigurationRow,
  configurationVersion,
  loadConfiguration,
  lockConfiguration,
  removeConfiguration,
  writeConfiguration,
  raiseConfigurationVersion,
} from './configuration/statements/configuration.ts';
export { stateOf, type WorkflowDefinition, workflowOf } from './configuration/workflow/workflow.ts';

// people
export { loadAccount, setPassword } from './people/accounts.ts';
export type { Authenticator } from './people/authenticator.ts';
export { clientNetwork, parseCredentials, SESSION_COOKIE } from './people/credentials.ts';
export { type AuthContext, checkedPassword, checkPassword } from './people/login.ts';
export { hashPassword, isPasswordHash, passwordProblem, verifyPassword } from './people/passwords.ts';
export { lacksSecondFactor, type SecondFactor } from './people/second-factor.ts';
export { openSecretBox, SecretBox } from './people/secret-box.ts';
export * as accountRows from './people/statements/account-rows.ts';
export { lockSetup } from './people/statements/accounts.ts';
export * as groupRows from './people/statements/group-rows.ts';
export { hasReachedLimit, recordRequest } from './people/statements/request-limits.ts';
export { loadSecretKey } from './people/statements/secret-keys.ts';
export { endTokens, forgetToken, listTokens } from './people/statements/tokens.ts';

// search
export * as contentSql from './face/content-sql.ts';
export * as indexes from './search/indexes/basic.ts';
export type { CatalogIndex } from './search/catalog-index.ts';
export { ofContent } from './search/expression.ts';
export { type CatalogQuery, constraint } from './search/query.ts';
export { nodeFields } from './search/statements/node-fields.ts';

// types
export { defineBlock, type MarkdownContext } from './types/block.ts';
export type { ContentChange, ContentObject, ResolvedNode, TreeNode } from './types/content-row.ts';
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
export * as fieldGroups from './types/group-schema.ts';
export { isOpen } from './types/index-kinds.ts';

// files
export * as uploadArea from './files/blobs/upload-area.ts';

// queue
export { isMail, isMailAddress, isPlausibleMailAddress, type Mail } from './queue/mail/mail.ts';
export { type ComposeMail, startMailWorker } from './queue/mail/mail-worker.ts';
export { MAILS, queueMail, queueWholeMail, WHOLE_MAIL } from './queue/mail/queue-mail.ts';
export { startItemWorker } from './queue/item-worker.ts';
export { type ItemKind, type QueueKind, retryDelayMs } from './queue/queue-kind.ts';
export { type QueueWorker, startQueueWorker } from './queue/queue-worker.ts';
export { IN_MS, SIGNAL, UNCLAIMED, untilDue, WAKE } from './queue/statements/claim.ts';
export { enqueue, type QueueItem, removeTopics } from './queue/statements/items.ts';
export { JOB } from './queue/statements/jobs.ts';
export { observeItems, waitingHealth } from './queue/waiting-health.ts';

// security
export {
  ADMINISTRATOR,
  type Agent,
  ANONYMOUS,
  AUTHENTICATED_USERS,
  type Caller,
  callerAt,
  callerFor,
} from './security/caller.ts';
export { can, localRolesAt, rolesWith, type SecurityNode } from './security/can.ts';
export {
  ACCESS_INACTIVE,
  ADD,
  DELEGATE_ROLES,
  DELETE,
  MANAGE_PORTAL,
  MANAGE_USERS,
  MODIFY,
  REVIEW,
  USE_API,
  USE_MAIL_HOST,
  VIEW,
} from './security/permissions.ts';

// i18n
export { nativeLanguageTitle } from './i18n/languages.ts';
export { message } from './i18n/messages.ts';

// cache
export * as siteChanges from './cache/statements/site-changes.ts';

// database
export type { Database, Queryable, Transaction } from '../database/database.ts';
export { type CacheTags, cacheTagsOf } from '../database/cache-tags.ts';
export { forward } from '../database/forward.ts';
export { holdFolder } from '../database/pglite/data-lock.ts';
export { forgetMigrations } from '../database/migrate.ts';
export { REPLICAS } from '../database/replicas.ts';
export { rehearse } from '../database/rehearse.ts';
export { inSavepoint, withSavepoint } from '../database/savepoint.ts';
export * as sqlErrors from '../database/sql-errors.ts';
