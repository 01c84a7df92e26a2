import { CORE_INDEXES } from '../catalog/core-indexes.ts';
import { coreBlocks } from '../content/blocks/core-blocks.ts';
import { coreFieldKinds } from '../content/core-field-kinds.ts';
import { subscribeCore } from '../content/core-subscribers.ts';
import { extractTexts } from '../content/file-text/extract-texts.ts';
import { groupTable } from '../content/group-table.ts';
import { reindex } from '../content/reindex-site.ts';
import { contentVocabularies } from '../content/vocabularies.ts';
import { coreActionConditions } from '../serializer/components/actions.ts';
import { coreComponents } from '../serializer/components/core-components.ts';
import { componentServices } from '../services/components.ts';
import { deleteContent } from '../services/content/delete-content.ts';
import { getContent } from '../services/content/get-content.ts';
import { patchContent } from '../services/content/patch-content.ts';
import { postContent } from '../services/content/post-content.ts';
import { defineFeature } from '../services/feature.ts';
import { fileServices } from '../services/files.ts';
import { imagesServices } from '../services/images.ts';
import { lockServices } from '../services/lock.ts';
import { loginServices } from '../services/login.ts';
import { openapiServices } from '../services/openapi/endpoint.ts';
import { querystringServices } from '../services/querystring.ts';
import { querystringSearchServices } from '../services/querystring-search.ts';
import { relocationServices } from '../services/relocation.ts';
import { resolveUidServices } from '../services/resolve-uid.ts';
import { searchServices } from '../services/search.ts';
import { siteServices } from '../services/site.ts';
import { sourceServices } from '../services/sources.ts';
import { suggestServices } from '../services/suggest.ts';
import { vocabulariesServices } from '../services/vocabularies.ts';
import { workflowServices } from '../services/workflow.ts';
import { corePanels } from '../site/panels/core-panels.ts';
import { siteVocabularies } from '../site/site-vocabularies.ts';
import { coreCommands } from './commands/core-commands.ts';
import { coreTables } from './core-tables.ts';

/** What the layers of the core bring, in the same form as features. */
export const coreFeature = defineFeature({
  name: 'core',
  services: [
    ...[getContent, postContent, patchContent, deleteContent],
    ...componentServices,
    ...relocationServices,
    ...fileServices,
    ...imagesServices,
    ...lockServices,
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
  vocabularies: [...siteVocabularies, ...contentVocabularies],
  indexes: CORE_INDEXES,
  fieldKinds: coreFieldKinds,
  blocks: coreBlocks,
  jobActions: [reindex, extractTexts],
  profileTables: [groupTable],
  tables: coreTables,
  commands: coreCommands,
  subscribe: subscribeCore,
});
