import { defineFeature, definePanel } from '#core';
import { typePanelServices } from './panel-endpoints.ts';
import { typeServices } from './type-endpoints.ts';

/** The control panel of content types. It has no settings; its own services show and change the types. */
const typesPanel = definePanel({
  id: 'dexterity-types',
  title: 'Content Types',
  group: 'Content',
  settings: [],
  searchableText: ({ types }) => [...types.values()].map(({ title }) => title),
});

/** Content types and their fields, read and edited over HTTP (`@types`, `@controlpanels/dexterity-types`). */
export const typeEditorFeature = defineFeature({
  name: 'type-editor',
  services: [...typePanelServices, ...typeServices],
  panels: [typesPanel],
});
