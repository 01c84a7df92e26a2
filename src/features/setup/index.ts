import { defineFeature } from '#core';
import { catalogServices } from './catalog-setup.ts';
import { setupCommands } from './command.ts';
import { setupEvents } from './events.ts';
import { menuServices } from './menus.ts';
import { permissionServices } from './permissions.ts';
import { roleServices } from './roles.ts';
import { vocabularyServices } from './site-vocabularies.ts';
import { workflowServices } from './workflows.ts';

/** The set-up of the site at run time: roles, permissions, workflows, menus, vocabularies, the catalog. */
export const setupFeature = defineFeature({
  name: 'setup',
  commands: setupCommands,
  events: setupEvents,
  services: [
    ...permissionServices,
    ...roleServices,
    ...workflowServices,
    ...menuServices,
    ...vocabularyServices,
    ...catalogServices,
  ],
});
