import { defineFeature } from '../../services/feature.ts';
import { sharingServices } from './services.ts';

/** Local roles on content (`@sharing`). */
export const sharingFeature = defineFeature({
  name: 'sharing',
  services: sharingServices,
});
