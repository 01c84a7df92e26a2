import { setTimeout as sleep } from 'node:timers/promises';
import type { Config, HealthCheck, Observation } from '#core';
import { messageOf } from '#lib/errors';
import { HOUR_MS, MINUTE_MS } from '#lib/time/milliseconds';
import { nextRun } from '../jobs/schedule.ts';
import { timeOf } from './format.ts';
import { isArchive, openPlace } from './places/open-place.ts';
import { listBackups } from './read-backup.ts';

/** Milliseconds after the scheduled time until a missing backup counts as late. */
const MAX_DURATION_MS = 6 * HOUR_MS;
/** Milliseconds after which the place counts as silent: less than a check may take. */
const MAX_SILENCE_MS = 2000;

/** Observes the newest backup at the place of the settings. */
async function observeBackups(config: Config): Promise<Observation> {
  const { target = '', schedule } = config.backup;
  const { whole } = await listBackups(await openPlace(target, config));
  const last = whole.at(-1);
  if (last === undefined) return { status: 'warn', output: `There is no backup in ${target}.` };
  const at = timeOf(last);
  const due = schedule === undefined ? undefined : nextRun(schedule, at);
  const isLate = due !== undefined && Date.now() > due.getTime() + MAX_DURATION_MS;
  return {
    status: isLate ? 'warn' : 'pass',
    observedValue: Math.floor((Date.now() - at.getTime()) / HOUR_MS),
    observedUnit: 'hours',
    output: `The last backup in ${target} is of ${at.toISOString()}.`,
  };
}

/** The observation of a place that cannot be read. Its state is never a failure: the process can work without backups. */
const unread = (error: unknown): Observation => ({
  status: 'warn',
  output: messageOf(error),
});

/** The observation of a place that does not answer in time. */
async function silence(): Promise<Observation> {
  await sleep(MAX_SILENCE_MS, undefined, { ref: false });
  return { status: 'warn', output: 'The place of the backups does not answer.' };
}

/** The age of the newest whole backup at the place of the settings. Warns when the place is empty, or a backup is late. */
export const backupHealth: HealthCheck = {
  name: 'backup:age',
  componentType: 'component',
  // A provider may charge for each request.
  keep: 5 * MINUTE_MS,
  isWanted: ({ config: { backup } }) => backup.target !== undefined && !isArchive(backup.target),
  observe: ({ config }) => Promise.race([observeBackups(config).catch(unread), silence()]),
};
