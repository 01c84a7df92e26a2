import { defineFeature } from '#core';
import { COUNTED_FIGURES, CountedFigures, getDatabase } from './database.ts';
import { CHECK_STATES, getHealth } from './health.ts';
import { coreHealthChecks } from './health-checks.ts';
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
  async start(kernel) {
    const { metricsPort, metricsToken } = kernel.config;
    if (metricsPort === undefined && metricsToken === undefined) return { close: async () => {} };
    // Loaded here, because few sites have metrics.
    const { openMetrics } = await import('./metrics.ts');
    return openMetrics(kernel);
  },
});
