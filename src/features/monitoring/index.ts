import { defineFeature } from '#core';
import { COUNTED_FIGURES, CountedFigures, getDatabase } from './database.ts';
import { CHECK_STATES, getHealth } from './health.ts';
import { coreHealthChecks } from './health-checks.ts';
import { openMetrics } from './metrics.ts';
import { getSystem, loadProgramVersion, PROGRAM_VERSION } from './system.ts';

/** Services for operators: `@health`, `@system`, `@database`, and the metrics of the process. */
export const monitoringFeature = defineFeature({
  name: 'monitoring',
  services: [getDatabase, getHealth, getSystem],
  healthChecks: coreHealthChecks,
  subscribe({ slots }) {
    slots.set(CHECK_STATES, new Map());
    slots.set(COUNTED_FIGURES, new CountedFigures());
    slots.set(PROGRAM_VERSION, loadProgramVersion());
  },
  start: openMetrics,
});
