import { corePanels } from '../core/configuration/panels/core-panels.ts';
import { peopleVocabularies } from '../core/configuration/site/people-vocabularies.ts';
import { siteVocabularies } from '../core/configuration/site/site-vocabularies.ts';
import { coreBlocks } from '../core/content/blocks/core-blocks.ts';
import { filesCheck } from '../core/content/check-files.ts';
import { indexCheck } from '../core/content/check-index.ts';
import { treeCheck } from '../core/content/check-tree.ts';
import { coreFieldKinds } from '../core/content/core-field-kinds.ts';
import { subscribeCore } from '../core/content/core-subscribers.ts';
import { extractTexts } from '../core/content/extract-texts.ts';
import { reindex } from '../core/content/reindex-site.ts';
import { contentVocabularies } from '../core/content/vocabularies.ts';
import { coreEvents } from '../core/journal/core-events.ts';
import { coreSteps } from '../core/journal/core-steps.ts';
import { bringContentAction } from '../core/profiles/bring-content.ts';
import { groupTable } from '../core/profiles/group-table.ts';
import { CORE_INDEXES } from '../core/search/core-indexes.ts';
import { coreActionConditions } from '../core/serializer/components/actions.ts';
import { coreComponents } from '../core/serializer/components/core-components.ts';
import { batchServices } from '../core/services/batch.ts';
import { componentServices } from '../core/services/components.ts';
import { deleteContent } from '../core/services/content/delete-content.ts';
import { getContent } from '../core/services/content/get-content.ts';
import { patchContent } from '../core/services/content/patch-content.ts';
import { postContent } from '../core/services/content/post-content.ts';
import { defineFeature } from '../core/services/feature.ts';
import { fileServices } from '../core/services/files.ts';
import { imagesServices } from '../core/services/images.ts';
import { lockServices } from '../core/services/lock.ts';
import { loginServices } from '../core/services/login.ts';
import { loginEvents } from '../core/services/login-events.ts';
import { openapiServices } from '../core/services/openapi/endpoint.ts';
import { querystringServices } from '../core/services/querystring.ts';
import { querystringSearchServices } from '../core/services/querystring-search.ts';
import { relocationServices } from '../core/services/relocation.ts';
import { resolveUidServices } from '../core/services/resolve-uid.ts';
import { searchServices } from '../core/services/search.ts';
import { siteServices } from '../core/services/site.ts';
import { sourceServices } from '../core/services/sources.ts';
import { suggestServices } from '../core/services/suggest.ts';
import { vocabulariesServices } from '../core/services/vocabularies.ts';
import { workflowServices } from '../core/services/workflow.ts';
import { coreCommands } from './commands/core-commands.ts';
import { coreTables } from './core-tables.ts';

/** The parts of the core's layers, in the same form as features. */
export const coreFeature = defineFeature({
  name: 'core',
  services: [
    ...[getContent, postContent, patchContent, deleteContent],
    ...componentServices,
    ...relocationServices,
    ...fileServices,
    ...imagesServices,
    ...lockServices,
    ...batchServices,
    ...loginServices,
    ...openapiServices,
    ...querystringServices,
    ...querystringSearchServices,
    ...resolveUidServices,
    ...searchServices,
    ...siteServices,
    ...sourceServices,
    ...suggestServices,
    ...vocabulariesServices,
    ...workflowServices,
  ],
  components: coreComponents,
  actionConditions: coreActionConditions,
  panels: corePanels,
  vocabularies: [...siteVocabularies, ...contentVocabularies, ...peopleVocabularies],
  indexes: CORE_INDEXES,
  fieldKinds: coreFieldKinds,
  blocks: coreBlocks,
  jobActions: [reindex, extractTexts, bringContentAction],
  profileTables: [groupTable],
  tables: coreTables,
  events: { ...coreEvents, ...loginEvents },
  steps: coreSteps,
  commands: coreCommands,
  siteChecks: [treeCheck, indexCheck, filesCheck],
  subscribe: subscribeCore,
});
