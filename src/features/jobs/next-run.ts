import { Cron } from 'croner';

/** Longer than any expression that means something. */
const MAX_CHARACTERS = 200;

/** An expression of five fields. The library refuses others by errors of these two kinds, and takes dates besides. */
function readCron(schedule: string): Cron | undefined {
  if (schedule.length > MAX_CHARACTERS) return undefined;
  try {
    const cron = new Cron(schedule, { paused: true, mode: '5-part', timezone: 'UTC' });
    return cron.getOnce() === null ? cron : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The first minute after a moment that a schedule names. A schedule is a cron expression of five fields (minute, hour, day,
 * month, day of the week) in UTC. Undefined for anything else, and where it names a day that never comes.
 */
export const nextRun = (schedule: string, after: Date): Date | undefined =>
  readCron(schedule)?.nextRun(after) ?? undefined;
