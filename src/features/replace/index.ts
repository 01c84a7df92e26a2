import { defineFeature } from '../../services/feature.ts';
import { replaceServices } from './services.ts';

/** Search and replace in the texts of many objects (`@replace`). */
export const replaceFeature = defineFeature({
  name: 'replace',
  services: replaceServices,
});
