import { defineFeature } from '#core';
import { COUNTED_FIGURES, CountedFigures, getDatabase } from './database.ts';
import { FIGURE_HISTORY, FigureHistory, startFigures } from './figure-history.ts';
import { getFigures } from './figures.ts';
import { CHECK_STATES, getHealth } from './health.ts';
import { coreHealthChecks } from './health-checks.ts';
import { getSystem, loadProgramVersion, PROGRAM_VERSION } from './system.ts';

/** Services for operators: `@health`, `@system`, `@database`, `@figures`, and the metrics of the process. */
export const monitoringFeature = defineFeature({
  name: 'monitoring',
  services: [getDatabase, getFigures, getHealth, getSystem],
  healthChecks: coreHealthChecks,
  subscribe({ slots }) {
    slots.set(CHECK_STATES, new Map());
    slots.set(COUNTED_FIGURES, new CountedFigures());
    slots.set(FIGURE_HISTORY, new FigureHistory());
    slots.set(PROGRAM_VERSION, loadProgramVersion());
  },
  async start(kernel) {
    const figures = startFigures(kernel);
    const { metricsPort, metricsToken } = kernel.config;
    if (metricsPort === undefined && metricsToken === undefined) return figures;
    // Loaded here, because few sites have metrics.
    const { openMetrics } = await import('./metrics.ts');
    const metrics = await openMetrics(kernel);
    return { close: async () => void (await Promise.all([metrics.close(), figures.close()])) };
  },
});
