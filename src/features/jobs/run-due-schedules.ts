import type { Kernel } from '../../site/kernel.ts';
import type { Transaction } from '../../storage/database.ts';
import { enqueueJob } from './enqueue-job.ts';
import { nextRun } from './next-run.ts';
import { isJobWaiting } from './statements/job-rows.ts';
import { lockDueJob, nextScheduledRun, setNextRun } from './statements/job-schedules.ts';

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
