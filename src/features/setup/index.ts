import { defineFeature } from '../../services/feature.ts';
import { permissionServices } from './permissions.ts';
import { roleServices } from './roles.ts';
import { workflowServices } from './workflows.ts';

/** The set-up of the site at run time: roles, permissions, workflows. */
export const setupFeature = defineFeature({
  name: 'setup',
  services: [...permissionServices, ...roleServices, ...workflowServices],
});
