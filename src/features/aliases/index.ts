import { defineFeature } from '#core';
import { aliasesComponent } from './component.ts';
import { deleteAliases, getAliases, postAliases } from './endpoints.ts';
import { deleteSiteAliases, getSiteAliases, postSiteAliases } from './site-endpoints.ts';

/** Other addresses of content (`@aliases`). */
export const aliasesFeature = defineFeature({
  name: 'aliases',
  components: [aliasesComponent],
  services: [getSiteAliases, getAliases, postSiteAliases, postAliases, deleteSiteAliases, deleteAliases],
});
