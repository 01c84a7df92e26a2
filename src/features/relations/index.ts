import { defineFeature } from '#core';
import { deleteRelations, getRelations, postRebuild, postRelations } from './endpoints.ts';
import { getLinkintegrity } from './link-integrity.ts';

/** References between content: `@relations` and `@linkintegrity`. */
export const relationsFeature = defineFeature({
  name: 'relations',
  services: [getRelations, postRelations, postRebuild, deleteRelations, getLinkintegrity],
});
