import { type Caller, ConfigError, type Feature, KERNEL_FEATURES, type Kernel } from '#core';
import { actionProblems, addScheduledJob, type NewScheduledJob } from './change-scheduled-jobs.ts';
import { nextRun, SCHEDULE_ID } from './schedule.ts';
import { findScheduledJob } from './statements/scheduled-jobs.ts';

/** Returns the problem of an impossible schedule, as the end of a sentence; undefined for a possible one. */
async function problemOf(
  kernel: Kernel,
  { id, schedule, action, params }: NewScheduledJob,
): Promise<string | undefined> {
  if (!SCHEDULE_ID.test(id)) return 'must have an id of 1 to 100 letters, digits and any of "_.-"';
  if (nextRun(schedule, new Date()) === undefined)
    return `must have a cron expression of five fields that some day fits, not "${schedule}"`;
  const [problem] = actionProblems(kernel, await kernel.sites.current(), { action, params });
  return problem && `is wrong: "${problem.field}" ${problem.message}`;
}

/** The schedules of a feature as scheduled jobs. */
const jobsOf = ({ schedules = [] }: Feature): NewScheduledJob[] =>
  schedules.map(({ description = '', params = {}, ...job }) => ({ ...job, description, params, enabled: true }));

/**
 * Makes the scheduled jobs of features that the site does not have yet. Of several processes that start at once only one makes each job. Throws
 * ConfigError, which names the feature, for an impossible schedule.
 */
export async function makeSchedules(kernel: Kernel, caller: Caller): Promise<void> {
  for (const feature of kernel.slots.get(KERNEL_FEATURES))
    for (const job of jobsOf(feature)) {
      if (await findScheduledJob(kernel.db, job.id)) continue;
      const problem = await problemOf(kernel, job);
      if (problem !== undefined)
        throw new ConfigError(`The feature "${feature.name}" cannot be used: The schedule "${job.id}" ${problem}.`);
      await addScheduledJob(kernel, caller, job);
    }
}
