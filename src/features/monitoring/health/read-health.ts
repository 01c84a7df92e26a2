import type { HealthStatus, Observation } from '../../../site/health-checks.ts';
import type { Kernel } from '../../../site/kernel.ts';
import { programVersion } from '../system/program-version.ts';
import { keptObservation } from './kept-observation.ts';

/** One check in the answer. */
type CheckResult = Observation & { componentType: string; time: string };

/** The health of the process in the format of draft-inadarei-api-health-check. */
type Health = { status: HealthStatus; version?: string; checks: Record<string, CheckResult[]> };

const worst = (statuses: HealthStatus[]): HealthStatus => {
  if (statuses.includes('fail')) return 'fail';
  return statuses.includes('warn') ? 'warn' : 'pass';
};

/**
 * Runs all checks side by side; answers within some seconds, whatever hangs. `details` are the version and what is
 * wrong: for managers only.
 */
export async function readHealth(kernel: Kernel, { details }: { details: boolean }): Promise<Health> {
  const results = await Promise.all(
    [...kernel.healthChecks].map(async ([name, check]): Promise<[string, CheckResult]> => {
      const { output, time, ...observed } = await keptObservation(kernel, name, check);
      const result = { componentType: check.componentType, ...observed, time: time.toISOString() };
      return [name, details && output !== undefined ? { ...result, output } : result];
    }),
  );
  return {
    status: worst(results.map(([, { status }]) => status)),
    ...(details ? { version: programVersion() } : {}),
    checks: Object.fromEntries(results.map(([name, result]) => [name, [result]])),
  };
}
