import { defineFeature } from '../../services/feature.ts';
import { getDatabase } from './database.ts';
import { getHealth } from './health.ts';
import { coreHealthChecks } from './health-checks.ts';
import { getSystem } from './system.ts';

/** What operators watch: `@health`, `@system`, `@database`. */
export const monitoringFeature = defineFeature({
  name: 'monitoring',
  services: [getDatabase, getHealth, getSystem],
  healthChecks: coreHealthChecks,
});
