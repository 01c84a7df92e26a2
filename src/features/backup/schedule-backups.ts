import { ConfigError, callers, type Kernel } from '#core';
import { addScheduledJob, removeScheduledJob, updateScheduledJob } from '../jobs/change-scheduled-jobs.ts';
import { nextRun } from '../jobs/schedule.ts';
import { findScheduledJob } from '../jobs/statements/scheduled-jobs.ts';

/** Name of the job action that makes backups. */
export const BACKUP_ACTION = 'backup';

/** Id of the scheduled job that the settings make. */
const SCHEDULED = 'canopy-backup';

/**
 * Makes the scheduled job of the config, or gives the present job the configured schedule; without a schedule the job is removed. Each process does
 * so at its start. Throws ConfigError for a schedule that never comes.
 */
export async function scheduleBackups(kernel: Kernel): Promise<void> {
  const { schedule } = kernel.config.backup;
  if (schedule !== undefined && nextRun(schedule, new Date()) === undefined)
    throw new ConfigError(
      `BACKUP_SCHEDULE must be a cron expression of five fields in UTC, such as "0 3 * * *", not "${schedule}".`,
    );
  const present = await findScheduledJob(kernel.db, SCHEDULED);
  const caller = callers.ADMINISTRATOR;
  if (schedule === undefined) {
    if (present) await removeScheduledJob(kernel, caller, SCHEDULED);
  } else if (!present) {
    const job = {
      id: SCHEDULED,
      title: 'Backup',
      description: 'Made by the settings BACKUP_SCHEDULE and BACKUP_TARGET, and changed by them at each start.',
      enabled: true,
      action: BACKUP_ACTION,
      params: {},
      schedule,
    };
    // Another process that starts at the same time may make the job as well.
    await addScheduledJob(kernel, caller, job);
  } else if (present.schedule !== schedule || !present.enabled) {
    const site = await kernel.sites.current();
    await updateScheduledJob(kernel, { site, caller, id: SCHEDULED, change: { schedule, enabled: true } });
  }
}
