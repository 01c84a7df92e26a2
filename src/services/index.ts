import { actionsServices } from './actions/index.ts';
import { addonsServices } from './addons/index.ts';
import { aliasesServices } from './aliases/index.ts';
import { breadcrumbsServices } from './breadcrumbs/index.ts';
import { catalogServices } from './catalog/index.ts';
import { commentsServices } from './comments/index.ts';
import { contentServices } from './content/index.ts';
import { contextnavigationServices } from './contextnavigation/index.ts';
import { controlpanelsServices } from './controlpanels/index.ts';
import { copyServices } from './copy/index.ts';
import { databaseServices } from './database/index.ts';
import { dexterityTypesServices } from './dexterity-types/index.ts';
import { displayFileServices } from './display-file/index.ts';
import { downloadServices } from './download/index.ts';
import { exportServices } from './export/index.ts';
import { groupsServices } from './groups/index.ts';
import { healthServices } from './health/index.ts';
import { historyServices } from './history/index.ts';
import { icsViewServices } from './ics-view/index.ts';
import { imagesServices } from './images/index.ts';
import { inheritServices } from './inherit/index.ts';
import { jobsServices } from './jobs/index.ts';
import { linkintegrityServices } from './linkintegrity/index.ts';
import { lockServices } from './lock/index.ts';
import { loginServices } from './login/index.ts';
import { markdownViewServices } from './markdown-view/index.ts';
import { moveServices } from './move/index.ts';
import { navigationServices } from './navigation/index.ts';
import { navrootServices } from './navroot/index.ts';
import { openapiServices } from './openapi/index.ts';
import { portraitServices } from './portrait/index.ts';
import { principalsServices } from './principals/index.ts';
import { querysourcesServices } from './querysources/index.ts';
import { querystringServices } from './querystring/index.ts';
import { querystringSearchServices } from './querystring-search/index.ts';
import { recyclebinServices } from './recyclebin/index.ts';
import { registryServices } from './registry/index.ts';
import { relatedServices } from './related/index.ts';
import { relationsServices } from './relations/index.ts';
import { replaceServices } from './replace/index.ts';
import { rolesServices } from './roles/index.ts';
import { rssViewServices } from './rss-view/index.ts';
import { scheduledJobsServices } from './scheduled-jobs/index.ts';
import { searchServices } from './search/index.ts';
import type { Service } from './service.ts';
import { ServiceRegistry } from './service-registry.ts';
import { sharingServices } from './sharing/index.ts';
import { siteServices } from './site/index.ts';
import { sourcesServices } from './sources/index.ts';
import { systemServices } from './system/index.ts';
import { translationsServices } from './translations/index.ts';
import { typesServices } from './types/index.ts';
import { upgradeServices } from './upgrade/index.ts';
import { usersServices } from './users/index.ts';
import { userschemaServices } from './userschema/index.ts';
import { vocabulariesServices } from './vocabularies/index.ts';
import { workflowServices } from './workflow/index.ts';
import { workingcopyServices } from './workingcopy/index.ts';

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
