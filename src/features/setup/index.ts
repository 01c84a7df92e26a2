import { defineFeature } from '../../services/feature.ts';
import { permissionServices } from './permissions.ts';
import { roleServices } from './roles.ts';

/** The set-up of the site at run time: roles and permissions. */
export const setupFeature = defineFeature({
  name: 'setup',
  services: [...permissionServices, ...roleServices],
});
