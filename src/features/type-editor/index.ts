import { defineFeature } from '../../services/feature.ts';
import { dexterityTypesServices } from './dexterity-types/services.ts';
import { typesServices } from './types/services.ts';
import { typesPanel } from './types-panel.ts';

/** Content types and their fields, read and edited over HTTP (`@types`, `@controlpanels/dexterity-types`). */
export const typeEditorFeature = defineFeature({
  name: 'type-editor',
  services: [...dexterityTypesServices, ...typesServices],
  panels: [typesPanel],
});
