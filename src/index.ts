/**
 * `canopy-server`: what code from outside works with. A package makes features with `defineFeature`, and a site names them in its
 * configuration file; see docs/add-ons.md. What is not exported here is no part of the contract.
 */
// biome-ignore-all assist/source/organizeImports: the exports are grouped by subject

// The configuration file of a site, and features.
export { type CanopyConfig, defineConfig } from './app/config-file.ts';
export {
  type BackgroundWork,
  defineFeature,
  type Feature,
  type FeatureProfile,
  type ProfileChange,
} from './core/services/feature.ts';
export type { AuthenticatorOf, LoginOption, LoginOptions } from './core/services/feature.ts';
export type { ManagePage } from './core/services/manage-page.ts';
export type { AccessLimits, Authenticator, Proof, ProofRequest } from './core/people/authenticator.ts';
export type { SecondFactor } from './core/people/second-factor.ts';
export {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOperand,
  type CommandOption,
  type CommandReport,
  EXIT,
  UsageError,
} from './core/kernel/command.ts';
export type { FoundProblems, ProblemKind, SiteCheck, SiteProblem } from './core/kernel/site-check.ts';

// Services. Schemas are made with the same typebox that checks them.
export { type Static, type TSchema, Type } from 'typebox';
export {
  created,
  type HeaderDescription,
  noContent,
  ok,
  type ResponseDescription,
  type ResponseDescriptions,
  type ResultOf,
  type ServiceResponse,
} from './core/services/response.ts';
export { Extensible } from './lib/schema/shapes.ts';
export { defineService, type Method, type RequestContext, type Service } from './core/services/service.ts';

// Errors that refuse a request. Any other error is a bare 500.
export {
  BadRequest,
  ClientError,
  Conflict,
  type FieldProblem,
  Forbidden,
  MethodNotAllowed,
  NotFound,
  PayloadTooLarge,
  TooManyRequests,
  Unauthorized,
  UnsupportedMediaType,
  ValidationFailed,
} from './lib/errors.ts';
export { ConfigError } from './core/configuration/environment/setting-names.ts';

// Content: find, create, change, remove, and who may.
export { createContent, removeContent, updateContent } from './app/content-operations.ts';
export { findContent } from './core/content/locate.ts';
export { type ContentQuery, type QueriedContent, queryContent } from './core/content/query-content.ts';
export { type ContentKeys, findContents } from './core/content/statements/load-content.ts';
export { transitionContent } from './core/content/transition-content.ts';
export { has as hasPermission, requirePermission } from './core/content/permissions.ts';
export { ADD, DELETE, MANAGE_PORTAL, MODIFY, VIEW } from './core/security/permissions.ts';
export type { Caller } from './core/security/caller.ts';
export * as callers from './core/face/callers.ts';
export type { ContentObject, ResolvedNode, TreeNode } from './core/types/content-row.ts';
export type { Database, Queryable, Row, Statement, Transaction } from './database/database.ts';

// Representations.
export type { ActionCondition } from './core/serializer/components/actions.ts';
export { type Component, componentUrl, defineComponent } from './core/serializer/components.ts';
export type { RepresentationPart } from './core/serializer/object.ts';
export { type RenderContext, urlOf } from './core/serializer/render-context.ts';
export type { LoadedColumns, SearchSource } from './core/serializer/search-sources.ts';
export { nodeSummary } from './core/serializer/summary.ts';

// The site: its configuration, settings, vocabularies, events, jobs, health.
export type { Events } from './core/journal/bus.ts';
export type { EventDescription, EventDescriptions } from './core/journal/event-description.ts';
export type { ContentEvents, EventName, PackageEvents } from './core/journal/events.ts';
export type { LoginEvents } from './core/services/login-events.ts';
export type { CommentEvents } from './features/comments/events.ts';
export type { MessageEvents } from './features/email/events.ts';
export type { UserEvents } from './features/people/events.ts';
export type {
  RuleAction,
  RuleActionContext,
  RuleCondition,
  RuleContext,
  RuleEvent,
} from './core/kernel/content-rules.ts';
export type { HealthCheck, MailKind, Observation } from './core/kernel/kernel.ts';
export * as mailing from './core/face/mailing.ts';
export type { Creation, CreationPart, Hooks } from './core/kernel/kernel.ts';
export { CAPTCHA_PROVIDERS, type CaptchaProvider, type CaptchaRequest } from './features/forms/captcha.ts';
export { enqueueJob } from './features/jobs/queue.ts';
export { type Batches, runInBatches } from './core/kernel/batches.ts';
export type { FeatureSchedule, JobAction, JobContext, JobStep } from './core/kernel/kernel.ts';
export type { Kernel } from './core/kernel/kernel.ts';
export {
  type Choices,
  definePanel,
  type Panel,
  type PanelValues,
  panelSettings,
  type Setting,
} from './core/configuration/panels/panel.ts';
/** Functions that make the settings of a panel: `settings.line`, `settings.flag`, `settings.whole` and others. */
export * as settings from './core/configuration/panels/setting-forms.ts';
export type { Site } from './core/configuration/site/site.ts';
export { say } from './core/configuration/site/localized-site.ts';
export type { ProfileTable, TableChange } from './core/kernel/profile-table.ts';
export type { KeptTable, LeftTable, SiteTable } from './core/kernel/site-tables.ts';
export type { TableChanges } from './core/cache/change-triggers.ts';
export type { UpgradeStep } from './core/kernel/upgrade-steps.ts';
export type {
  SearchedVocabulary,
  SiteVocabulary,
  TermContext,
  Vocabulary,
} from './core/configuration/site/vocabulary.ts';
export { plainTerms, type Term, type TermPage, type TermRequest, termPage } from './core/types/vocabularies/term.ts';

// Types, kinds of fields, blocks, the catalog, workflows.
export {
  type Block,
  type BlockReadContext,
  type BlockWriteContext,
  defineBlock,
  type MarkdownContext,
} from './core/types/block.ts';
export type { CatalogIndex, IndexSource } from './core/search/catalog-index.ts';
export type { CatalogColumn } from './core/search/catalog-registry.ts';
export { type Expression, ofCatalog, ofContent, ofSharedContent } from './core/search/expression.ts';
export { customIndex } from './core/search/indexes/declared.ts';
export type { ContentType, Field } from './core/types/content-type.ts';
export type { Behavior, Property, Schema, TypeDefinition } from './core/types/definition.ts';
export { type Factory, FieldError, type FieldKind } from './core/types/field-kind.ts';
export type { WorkflowDefinition } from './core/configuration/workflow/workflow.ts';
export type { GuardCondition, GuardContext, RefusalContext } from './core/configuration/workflow/workflow.ts';
