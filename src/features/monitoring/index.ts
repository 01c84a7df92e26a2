import { defineFeature } from '../../services/feature.ts';
import { databaseServices } from './database/services.ts';
import { coreHealthChecks } from './health/core-checks.ts';
import { healthServices } from './health/services.ts';
import { systemServices } from './system/services.ts';

/** What operators watch: `@health`, `@system`, `@database`. */
export const monitoringFeature = defineFeature({
  name: 'monitoring',
  services: [...databaseServices, ...healthServices, ...systemServices],
  healthChecks: coreHealthChecks,
});
