import { Cron } from 'croner';
import type { Kernel, Transaction } from '#core';
import { enqueueJob } from './queue.ts';
import { isJobWaiting } from './statements/jobs.ts';
import { lockDueJob, nextScheduledRun, setNextRun } from './statements/scheduled-jobs.ts';

/** Longest cron expression, in characters: longer than any useful one. */
const MAX_SCHEDULE_LENGTH = 200;

/** The form of the ids of scheduled jobs. */
export const SCHEDULE_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** Five fields, or a nickname such as `@daily`. Other texts, such as a date, are not passed to the library. */
const CRON = /^(?:@[a-z]+|[^\s:]+(?:\s+[^\s:]+){4})$/i;

/** Parses a cron expression of five fields; undefined for anything else. The library throws errors of these two types. */
function parseCron(schedule: string): Cron | undefined {
  if (schedule.length > MAX_SCHEDULE_LENGTH || !CRON.test(schedule)) return undefined;
  try {
    return new Cron(schedule, { paused: true, mode: '5-part', timezone: 'UTC' });
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The first minute after a moment that a schedule matches. A schedule is a cron expression of five fields (minute, hour, day,
 * month, day of the week) in UTC. Undefined for anything else, and for schedules of days that do not exist.
 */
export const nextRun = (schedule: string, after: Date): Date | undefined =>
  parseCron(schedule)?.nextRun(after) ?? undefined;

/**
 * Enqueues one scheduled job that is due and sets its next run. One run replaces all runs that were missed while no process served the site; no run
 * is enqueued while a job of the last run still waits. Returns whether a job was due.
 */
async function startNextDue(kernel: Kernel, tx: Transaction, now: Date, actions: string[]): Promise<boolean> {
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
 * Enqueues the scheduled jobs that are due. Any number of processes may call this at the same time: each run is started by
 * one of them. Returns the time of the next run; undefined when none is planned.
 */
export async function startDueSchedules(kernel: Kernel, now: Date): Promise<Date | undefined> {
  const actions = kernel.jobActions.all().map(({ name }) => name);
  for (;;) {
    const next = await nextScheduledRun(kernel.db, actions);
    if (!next || next > now) return next;
    // The remaining due jobs are locked by another process.
    if (!(await kernel.db.transaction((tx) => startNextDue(kernel, tx, now, actions)))) return next;
  }
}
