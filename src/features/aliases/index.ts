import { defineFeature } from '../../services/feature.ts';
import { aliasesServices } from './services.ts';

/** Other addresses of content (`@aliases`). */
export const aliasesFeature = defineFeature({
  name: 'aliases',
  services: aliasesServices,
});
