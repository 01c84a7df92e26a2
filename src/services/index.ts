import { addonsServices } from '../features/add-ons/services.ts';
import { aliasesServices } from '../features/aliases/services.ts';
import { commentsServices } from '../features/comments/services.ts';
import { controlpanelsServices } from '../features/control-panels/controlpanels/services.ts';
import { registryServices } from '../features/control-panels/registry/services.ts';
import { icsViewServices } from '../features/exports/ics-view/services.ts';
import { markdownViewServices } from '../features/exports/markdown-view/services.ts';
import { rssViewServices } from '../features/exports/rss-view/services.ts';
import { exportServices } from '../features/exports/services.ts';
import { historyServices } from '../features/history/services.ts';
import { scheduledJobsServices } from '../features/jobs/scheduled-jobs/services.ts';
import { jobsServices } from '../features/jobs/services.ts';
import { databaseServices } from '../features/monitoring/database/services.ts';
import { healthServices } from '../features/monitoring/health/services.ts';
import { systemServices } from '../features/monitoring/system/services.ts';
import { groupsServices } from '../features/people/groups/services.ts';
import { portraitServices } from '../features/people/portrait/services.ts';
import { principalsServices } from '../features/people/principals/services.ts';
import { rolesServices } from '../features/people/roles/services.ts';
import { usersServices } from '../features/people/users/services.ts';
import { userschemaServices } from '../features/people/userschema/services.ts';
import { recyclebinServices } from '../features/recycle-bin/services.ts';
import { relatedServices } from '../features/related/services.ts';
import { linkintegrityServices } from '../features/relations/linkintegrity/services.ts';
import { relationsServices } from '../features/relations/services.ts';
import { replaceServices } from '../features/replace/services.ts';
import { sharingServices } from '../features/sharing/services.ts';
import { translationsServices } from '../features/translations/services.ts';
import { dexterityTypesServices } from '../features/type-editor/dexterity-types/services.ts';
import { typesServices } from '../features/type-editor/types/services.ts';
import { upgradeServices } from '../features/upgrades/services.ts';
import { workingcopyServices } from '../features/working-copies/workingcopy/services.ts';
import { actionsServices } from './actions/index.ts';
import { breadcrumbsServices } from './breadcrumbs/index.ts';
import { catalogServices } from './catalog/index.ts';
import { contentServices } from './content/index.ts';
import { contextnavigationServices } from './contextnavigation/index.ts';
import { copyServices } from './copy/index.ts';
import { displayFileServices } from './display-file/index.ts';
import { downloadServices } from './download/index.ts';
import { imagesServices } from './images/index.ts';
import { inheritServices } from './inherit/index.ts';
import { lockServices } from './lock/index.ts';
import { loginServices } from './login/index.ts';
import { moveServices } from './move/index.ts';
import { navigationServices } from './navigation/index.ts';
import { navrootServices } from './navroot/index.ts';
import { openapiServices } from './openapi/index.ts';
import { querysourcesServices } from './querysources/index.ts';
import { querystringServices } from './querystring/index.ts';
import { querystringSearchServices } from './querystring-search/index.ts';
import { searchServices } from './search/index.ts';
import type { Service } from './service.ts';
import { ServiceRegistry } from './service-registry.ts';
import { siteServices } from './site/index.ts';
import { sourcesServices } from './sources/index.ts';
import { vocabulariesServices } from './vocabularies/index.ts';
import { workflowServices } from './workflow/index.ts';

/** Every endpoint of the core. Adding one is a folder here and a line below. */
const CORE: Service[] = [
  ...contentServices,
  ...actionsServices,
  ...addonsServices,
  ...aliasesServices,
  ...breadcrumbsServices,
  ...catalogServices,
  ...commentsServices,
  ...contextnavigationServices,
  ...controlpanelsServices,
  ...copyServices,
  ...databaseServices,
  ...dexterityTypesServices,
  ...displayFileServices,
  ...downloadServices,
  ...exportServices,
  ...groupsServices,
  ...healthServices,
  ...historyServices,
  ...icsViewServices,
  ...imagesServices,
  ...inheritServices,
  ...jobsServices,
  ...linkintegrityServices,
  ...lockServices,
  ...loginServices,
  ...markdownViewServices,
  ...moveServices,
  ...navigationServices,
  ...navrootServices,
  ...openapiServices,
  ...portraitServices,
  ...principalsServices,
  ...querysourcesServices,
  ...querystringServices,
  ...querystringSearchServices,
  ...recyclebinServices,
  ...registryServices,
  ...relatedServices,
  ...relationsServices,
  ...replaceServices,
  ...rolesServices,
  ...rssViewServices,
  ...scheduledJobsServices,
  ...searchServices,
  ...sharingServices,
  ...siteServices,
  ...sourcesServices,
  ...systemServices,
  ...translationsServices,
  ...typesServices,
  ...upgradeServices,
  ...usersServices,
  ...userschemaServices,
  ...vocabulariesServices,
  ...workflowServices,
  ...workingcopyServices,
];

/** A registry with the services of the core; add-ons register theirs with the same call. */
export function coreServices(): ServiceRegistry {
  const registry = new ServiceRegistry();
  for (const service of CORE) registry.register(service);
  return registry;
}
