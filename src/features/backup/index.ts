import { defineFeature } from '#core';
import { backupHealth } from './backup-health.ts';
import { backupCommand } from './command.ts';
import { restoreCommand } from './restore-command.ts';
import { backupAction } from './run-backup-job.ts';
import { scheduleBackups } from './schedule-backups.ts';
import { startSnapshots } from './snapshot-request.ts';

/** Backups of the whole site while it is served, and restoring them (`canopy backup`, `canopy restore`). */
export const backupFeature = defineFeature({
  name: 'backup',
  commands: [backupCommand, restoreCommand],
  jobActions: [backupAction],
  healthChecks: [backupHealth],
  async start(kernel) {
    await scheduleBackups(kernel);
    return startSnapshots(kernel);
  },
});
