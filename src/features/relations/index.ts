import { defineFeature } from '../../services/feature.ts';
import { linkintegrityServices } from './linkintegrity/services.ts';
import { relationsServices } from './services.ts';

/** References between content: `@relations` and `@linkintegrity`. */
export const relationsFeature = defineFeature({
  name: 'relations',
  services: [...relationsServices, ...linkintegrityServices],
});
