/**
 * `canopy`: what code from outside works with. A package makes features with `defineFeature`, and a site names them in its
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
} from './services/feature.ts';
export type { AuthenticatorOf, LoginOption, LoginOptions } from './services/feature.ts';
export type { AccessLimits, Authenticator, Proof, ProofRequest } from './auth/authenticator.ts';
export type { SecondFactor } from './auth/second-factor.ts';
export type { Command, CommandArguments, CommandContext } from './kernel/command.ts';

// Services. Schemas are made with the same typebox that checks them.
export { type Static, type TSchema, Type } from 'typebox';
export {
  defineService,
  type HeaderDescription,
  type Method,
  noContent,
  ok,
  type RequestContext,
  type ResponseDescription,
  type Service,
  type ServiceResponse,
} from './services/service.ts';

// What a request may be refused with. Whatever else is thrown is a bare 500.
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
export { ConfigError } from './site/config.ts';

// Content: find, create, change, remove, and who may.
export { createContent, findContent, removeContent, updateContent } from './app/content-operations.ts';
export { transitionContent } from './content/transition-content.ts';
export { has as hasPermission, requirePermission } from './content/permissions.ts';
export { ADD, DELETE, MANAGE_PORTAL, MODIFY, VIEW } from './security/permissions.ts';
export type { Caller } from './security/caller.ts';
export type { ContentObject, ResolvedNode, TreeNode } from './storage/content-row.ts';
export type { Database, Queryable, Row, Statement, Transaction } from './storage/database.ts';

// Representations.
export type { ActionCondition } from './serializer/components/actions.ts';
export { type Component, componentUrl } from './serializer/components.ts';
export type { RepresentationPart } from './serializer/object.ts';
export { type RenderContext, urlOf } from './serializer/render-context.ts';
export type { LoadedColumns, SearchSource } from './serializer/search-sources.ts';
export { nodeSummary } from './serializer/summary.ts';

// The site: its configuration, settings, vocabularies, events, jobs, health.
export type { ContentEvents, EventName, Events } from './kernel/events.ts';
export type { RuleAction, RuleActionContext, RuleCondition, RuleContext, RuleEvent } from './kernel/content-rules.ts';
export type { HealthCheck, MailKind, Observation } from './kernel/kernel.ts';
export type { Creation, CreationPart, Hooks } from './kernel/kernel.ts';
export { CAPTCHA_PROVIDERS, type CaptchaProvider, type CaptchaRequest } from './features/forms/captcha.ts';
export { enqueueJob } from './features/jobs/queue.ts';
export { type Batches, runInBatches } from './kernel/batches.ts';
export type { JobAction, JobContext, JobStep } from './kernel/kernel.ts';
export type { Kernel } from './kernel/kernel.ts';
export { type Choices, definePanel, type Panel, type PanelValues, panelSettings, type Setting } from './site/panel.ts';
export * as settings from './site/panels/setting-forms.ts';
export type { Site } from './site/site.ts';
export type { ProfileTable, TableChange } from './kernel/profile-tables.ts';
export type { KeptTable, LeftTable, SiteTable } from './kernel/site-tables.ts';
export type { TableChanges } from './storage/change-triggers.ts';
export type { UpgradeStep } from './kernel/upgrade-steps.ts';
export type { SearchedVocabulary, SiteVocabulary, TermContext, Vocabulary } from './site/vocabulary.ts';
export { plainTerms, type Term, type TermPage, type TermRequest, termPage } from './types/vocabularies/term.ts';

// Types, kinds of fields, blocks, the catalog, workflows.
export {
  type Block,
  type BlockReadContext,
  type BlockWriteContext,
  defineBlock,
  type MarkdownContext,
} from './types/block.ts';
export type { CatalogIndex, IndexSource } from './catalog/catalog-index.ts';
export type { CatalogColumn } from './catalog/catalog-registry.ts';
export { customIndex } from './catalog/indexes/declared.ts';
export type { ContentType, Field } from './types/content-type.ts';
export type { Behavior, Property, Schema, TypeDefinition } from './types/definition.ts';
export { type Factory, FieldError, type FieldKind } from './types/field-kind.ts';
export type { WorkflowDefinition } from './workflow/workflow.ts';
export type { GuardCondition, GuardContext } from './workflow/workflow.ts';
