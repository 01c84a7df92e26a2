import { defineFeature } from '../../core/services/feature.ts';
import { sharingServices } from './sharing.ts';

/** Local roles on content (`@sharing`). */
export const sharingFeature = defineFeature({
  name: 'sharing',
  services: sharingServices,
});
