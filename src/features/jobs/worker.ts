import { randomUUID } from 'node:crypto';
import { claims, type Kernel } from '#core';
import { JOBS } from './queue.ts';
import { type FindCaller, RunningJob } from './running-job.ts';
import { startDueSchedules } from './schedule.ts';
import { endLostJobs, leaseJob } from './statements/lease.ts';

const LOST_JOB_ERROR = `The server ended ${JOBS.maxAttempts} times while the job was running.`;

/** Runs jobs in this process. `close` releases the running jobs, so that another worker can take them at once. */
export type JobWorker = Pick<claims.Worker, 'close'>;

export type JobWorkerOptions = { findCaller: FindCaller; now?: () => Date };

/** Starts to run jobs of the queue and to enqueue scheduled ones. */
export async function startJobWorker(
  kernel: Kernel,
  { findCaller, now = () => new Date() }: JobWorkerOptions,
): Promise<JobWorker> {
  const { db, log, jobActions } = kernel;
  const worker = randomUUID();
  const running = new Map<string, RunningJob>();

  const queueWorker = await claims.startWorker({
    db,
    log,
    kind: JOBS,
    async prepare() {
      const nextDue = await startDueSchedules(kernel, now()).catch((error: unknown): undefined => {
        log.error({ err: error }, 'looking for scheduled jobs failed');
      });
      await endLostJobs(db, JOBS.maxAttempts, LOST_JOB_ERROR);
      return { isReady: true, againMs: nextDue && nextDue.getTime() - now().getTime() };
    },
    async begin() {
      const leased = await leaseJob(db, {
        worker,
        leaseMs: JOBS.leaseMs,
        actions: jobActions.all().map(({ name }) => name),
        maxAttempts: JOBS.maxAttempts,
        running: [...running.keys()],
      });
      if (!leased) return undefined;
      const job = new RunningJob(kernel, leased, findCaller);
      running.set(leased.id, job);
      return { ended: job.ended.then(() => void running.delete(leased.id)) };
    },
    onSignal: (abortedJob) => running.get(abortedJob)?.cancel('aborted'),
    stop() {
      for (const job of running.values()) job.cancel('stopped');
    },
  });
  return {
    async close() {
      await queueWorker.close();
      for (const job of running.keys()) log.warn({ job }, 'a job did not stop in time');
    },
  };
}
