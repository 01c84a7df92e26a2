import { CORE_INDEXES } from '../catalog/core-indexes.ts';
import { coreBlocks } from '../content/blocks/core-blocks.ts';
import { coreFieldKinds } from '../content/core-field-kinds.ts';
import { subscribeCore } from '../content/core-subscribers.ts';
import { reindex } from '../content/reindex-site.ts';
import { contentVocabularies } from '../content/vocabularies.ts';
import { coreActionConditions } from '../serializer/components/actions.ts';
import { coreComponents } from '../serializer/components/core-components.ts';
import { actionsServices } from '../services/actions/index.ts';
import { breadcrumbsServices } from '../services/breadcrumbs/index.ts';
import { catalogServices } from '../services/catalog/index.ts';
import { contentServices } from '../services/content/index.ts';
import { contextnavigationServices } from '../services/contextnavigation/index.ts';
import { copyServices } from '../services/copy/index.ts';
import { displayFileServices } from '../services/display-file/index.ts';
import { downloadServices } from '../services/download/index.ts';
import { defineFeature } from '../services/feature.ts';
import { imagesServices } from '../services/images/index.ts';
import { inheritServices } from '../services/inherit/index.ts';
import { lockServices } from '../services/lock.ts';
import { loginServices } from '../services/login/index.ts';
import { moveServices } from '../services/move/index.ts';
import { navigationServices } from '../services/navigation/index.ts';
import { navrootServices } from '../services/navroot/index.ts';
import { openapiServices } from '../services/openapi/index.ts';
import { querysourcesServices } from '../services/querysources/index.ts';
import { querystringServices } from '../services/querystring/index.ts';
import { querystringSearchServices } from '../services/querystring-search/index.ts';
import { searchServices } from '../services/search/index.ts';
import { siteServices } from '../services/site/index.ts';
import { sourcesServices } from '../services/sources/index.ts';
import { vocabulariesServices } from '../services/vocabularies/index.ts';
import { workflowServices } from '../services/workflow.ts';
import { corePanels } from '../site/panels/core-panels.ts';
import { siteVocabularies } from '../site/site-vocabularies.ts';
import { coreCommands } from './commands/core-commands.ts';

/** What the layers of the core bring, in the same form as features. */
export const coreFeature = defineFeature({
  name: 'core',
  services: [
    ...contentServices,
    ...actionsServices,
    ...breadcrumbsServices,
    ...catalogServices,
    ...contextnavigationServices,
    ...copyServices,
    ...displayFileServices,
    ...downloadServices,
    ...imagesServices,
    ...inheritServices,
    ...lockServices,
    ...loginServices,
    ...moveServices,
    ...navigationServices,
    ...navrootServices,
    ...openapiServices,
    ...querysourcesServices,
    ...querystringServices,
    ...querystringSearchServices,
    ...searchServices,
    ...siteServices,
    ...sourcesServices,
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
  jobActions: [reindex],
  commands: coreCommands,
  subscribe: subscribeCore,
});
