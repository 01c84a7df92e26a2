import { randomUUID } from 'node:crypto';
import type { Kernel } from '../../site/kernel.ts';
import { type FindCaller, LEASE, RunningJob } from './running-job.ts';
import { runDueSchedules } from './schedule.ts';
import { JOBS_CHANNEL } from './statements/jobs.ts';
import { endLostJobs, type HeldJob, takeJob } from './statements/lease.ts';

/** Jobs that one process runs at a time: a long one does not keep short ones waiting. */
const AT_ONCE = 2;
/** How often a job is begun whose workers die. */
const MOST_ATTEMPTS = 3;
const LOST = `The server ended ${MOST_ATTEMPTS} times while the job was running.`;
/** Milliseconds between two looks when nobody tells of a job, and at least before one for the clock. */
const POLL = 30_000;
const SHORTEST = 1000;
/** Milliseconds that the end of the process waits for jobs to stop. */
const GRACE = 10_000;

/** Waits for all, but no longer than the grace. */
async function withinGrace(ends: Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE);
  });
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
}

/** Runs jobs in this process. */
export type JobWorker = {
  /** Takes no more jobs and gives those that run back, for the next start to take at once. */
  close(): Promise<void>;
};

export type JobWorkerOptions = { findCaller: FindCaller; now?: () => Date };

/**
 * Begins to run jobs and to start scheduled ones. Any number of processes may: each job is run by one of them at a time. What
 * waits is told by the database; a slow poll finds what was not heard, and what has lost its worker.
 */
export async function startJobWorker(
  kernel: Kernel,
  { findCaller, now = () => new Date() }: JobWorkerOptions,
): Promise<JobWorker> {
  const { db, log, jobActions } = kernel;
  const worker = randomUUID();
  const running = new Map<string, RunningJob>();
  let closed = false;
  let again = false;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function begin(job: HeldJob): void {
    const begun = new RunningJob(kernel, job, findCaller);
    running.set(job.id, begun);
    void begun.ended.then(() => {
      running.delete(job.id);
      wake();
    });
  }

  async function takeJobs(): Promise<void> {
    await endLostJobs(db, MOST_ATTEMPTS, LOST);
    while (!closed && running.size < AT_ONCE) {
      const actions = jobActions.all().map(({ name }) => name);
      const taking = { worker, lease: LEASE, actions, mostAttempts: MOST_ATTEMPTS, running: [...running.keys()] };
      const job = await takeJob(db, taking);
      if (!job) return;
      begin(job);
    }
  }

  const report = (error: unknown): void => log.error({ err: error }, 'looking for jobs failed');

  /** Does what is to be done now. Answers after how many milliseconds to look again. */
  async function look(): Promise<number> {
    const due = await runDueSchedules(kernel, now()).catch(report);
    await takeJobs().catch(report);
    return due ? Math.min(POLL, Math.max(SHORTEST, due.getTime() - now().getTime())) : POLL;
  }

  async function lookAround(): Promise<void> {
    let wait = POLL;
    do {
      again = false;
      wait = await look();
    } while (again && !closed);
    looking = undefined;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(wake, wait).unref();
  }

  function wake(): void {
    again = true;
    if (!closed) looking ??= lookAround();
  }

  function stopJobs(): void {
    for (const job of running.values()) job.cancel('stopped');
  }

  const stop = await db.listen(JOBS_CHANNEL, (job) => {
    if (job === '') wake();
    else running.get(job)?.cancel('aborted');
  });
  wake();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      stopJobs();
      await stop();
      await looking;
      // The last look may have taken some more.
      stopJobs();
      await withinGrace([...running.values()].map(({ ended }) => ended));
      for (const job of running.keys()) log.warn({ job }, 'a job did not stop in time');
    },
  };
}
