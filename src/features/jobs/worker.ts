import { randomUUID } from 'node:crypto';
import { JOBS_CHANNEL, type Kernel } from '#core';
import { startWakeLoop } from '#lib/process/wake-loop';
import { type FindCaller, LEASE_MS, RunningJob } from './running-job.ts';
import { startDueSchedules } from './schedule.ts';
import { endLostJobs, type LeasedJob, leaseJob } from './statements/lease.ts';

/** Jobs that one process runs at a time: more than one, so that a long job does not block short ones. */
const MAX_CONCURRENT_JOBS = 2;
/** How often a job is started again after its worker has died. */
const MAX_ATTEMPTS = 3;
const LOST_JOB_ERROR = `The server ended ${MAX_ATTEMPTS} times while the job was running.`;
/** Time between two looks at the queue when no notification arrives. */
const POLL_INTERVAL_MS = 30_000;
/** Shortest wait for the next scheduled job. */
const MIN_WAIT_MS = 1000;
/** How long `close` waits for running jobs to stop. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

/** Waits until all jobs have ended, but no longer than the timeout of the shutdown. */
async function waitForEnds(ends: Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SHUTDOWN_TIMEOUT_MS);
  });
  await Promise.race([Promise.all(ends), timeout]);
  clearTimeout(timer);
}

/** Runs jobs in this process. */
export type JobWorker = {
  /** Takes no more jobs and releases the running ones, so that another worker can take them at once. */
  close(): Promise<void>;
};

export type JobWorkerOptions = { findCaller: FindCaller; now?: () => Date };

/**
 * Starts to run jobs of the queue and to enqueue scheduled ones. Any number of processes may do so: leases make sure that
 * each job runs in one of them at a time. Notifications of the database wake the worker; a slow poll finds jobs whose
 * notification was missed or whose worker has died.
 */
export async function startJobWorker(
  kernel: Kernel,
  { findCaller, now = () => new Date() }: JobWorkerOptions,
): Promise<JobWorker> {
  const { db, log, jobActions } = kernel;
  const worker = randomUUID();
  const running = new Map<string, RunningJob>();

  function run(leased: LeasedJob): void {
    const job = new RunningJob(kernel, leased, findCaller);
    running.set(leased.id, job);
    void job.ended.then(() => {
      running.delete(leased.id);
      loop.wake();
    });
  }

  async function runWaitingJobs(): Promise<void> {
    await endLostJobs(db, MAX_ATTEMPTS, LOST_JOB_ERROR);
    while (!loop.isClosed() && running.size < MAX_CONCURRENT_JOBS) {
      const job = await leaseJob(db, {
        worker,
        leaseMs: LEASE_MS,
        actions: jobActions.all().map(({ name }) => name),
        maxAttempts: MAX_ATTEMPTS,
        running: [...running.keys()],
      });
      if (!job) return;
      run(job);
    }
  }

  const report = (error: unknown): void => log.error({ err: error }, 'looking for jobs failed');

  /** Enqueues due scheduled jobs and takes waiting jobs. */
  const loop = startWakeLoop({
    intervalMs: POLL_INTERVAL_MS,
    onError: report,
    async look() {
      const nextDue = await startDueSchedules(kernel, now()).catch(report);
      await runWaitingJobs().catch(report);
      return nextDue ? Math.max(MIN_WAIT_MS, nextDue.getTime() - now().getTime()) : undefined;
    },
  });

  function stopJobs(): void {
    for (const job of running.values()) job.cancel('stopped');
  }

  const stopListening = await db.listen(JOBS_CHANNEL, (abortedJob) => {
    if (abortedJob === '') loop.wake();
    else running.get(abortedJob)?.cancel('aborted');
  });
  loop.wake();
  return {
    async close() {
      const lastLook = loop.close();
      stopJobs();
      await stopListening();
      await lastLook;
      // A poll that was under way may have taken more jobs.
      stopJobs();
      await waitForEnds([...running.values()].map(({ ended }) => ended));
      for (const job of running.keys()) log.warn({ job }, 'a job did not stop in time');
    },
  };
}
