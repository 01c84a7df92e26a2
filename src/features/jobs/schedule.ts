import { Cron } from 'croner';
import type { Kernel } from '../../site/kernel.ts';
import type { Transaction } from '../../storage/database.ts';
import { enqueueJob } from './queue.ts';
import { isJobWaiting } from './statements/jobs.ts';
import { lockDueJob, nextScheduledRun, setNextRun } from './statements/scheduled-jobs.ts';

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

/**
 * Puts one scheduled job that is due into the queue and sets when it is due again. Runs that were missed while nobody served
 * are made up for by one; while a job of the last run still waits, another would do the same. Answers whether there was one.
 */
async function runNext(kernel: Kernel, tx: Transaction, now: Date, actions: string[]): Promise<boolean> {
  const due = await lockDueJob(tx, now, actions);
  if (!due) return false;
  const { id, action, params, title, description, schedule } = due;
  const latest = due.nextRun !== null && due.nextRun > now ? due.nextRun : now;
  await setNextRun(tx, id, nextRun(schedule, latest) ?? null);
  if (await isJobWaiting(tx, id)) return true;
  await enqueueJob(kernel, tx, { action, params, title, description, scheduledJob: id, actor: null, asSystem: true });
  return true;
}

/**
 * Starts the scheduled jobs that are due: any number of processes may look, each run is started by one of them. Answers
 * when the next one is due; undefined when none is.
 */
export async function runDueSchedules(kernel: Kernel, now: Date): Promise<Date | undefined> {
  const actions = kernel.jobActions.all().map(({ name }) => name);
  for (;;) {
    const next = await nextScheduledRun(kernel.db, actions);
    if (!next || next > now) return next;
    // What is left is held by another process.
    if (!(await kernel.db.transaction((tx) => runNext(kernel, tx, now, actions)))) return next;
  }
}
