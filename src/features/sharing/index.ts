import { defineFeature } from '#core';
import { sharingServices } from './sharing.ts';

/** Local roles on content (`@sharing`). */
export const sharingFeature = defineFeature({
  name: 'sharing',
  services: sharingServices,
});
