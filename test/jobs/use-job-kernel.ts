import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { JobAction, Kernel } from '../../src/core/kernel/kernel.ts';
import { WAKE } from '../../src/core/queue/statements/claim.ts';
import { JOB } from '../../src/core/queue/statements/jobs.ts';
import { enqueueJob } from '../../src/features/jobs/queue.ts';
import { findJob, type Job, type JobRequest } from '../../src/features/jobs/statements/jobs.ts';
import { type LeasedJob, leaseJob } from '../../src/features/jobs/statements/lease.ts';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import type { Engine } from '../support/engines.ts';
import { createTestKernel } from '../support/site.ts';
import { quickAction, request, type Slow, slowAction, startWorker } from './job-site.ts';

/** A kernel without HTTP for the tests of one `describe`, with helpers for jobs. Jobs and workers are removed after each test. */
export function useJobKernel(engine: Engine) {
  let made: Awaited<ReturnType<typeof createTestKernel>>;
  const workers: JobWorker[] = [];
  const slows: Slow[] = [];
  let names = 0;

  beforeAll(async () => {
    made = await createTestKernel(engine);
  });
  afterEach(async () => {
    for (const slow of slows.splice(0)) slow.finish();
    for (const worker of workers.splice(0)) await worker.close();
    await sql('delete from job');
  });
  afterAll(() => made?.close());

  const kernel = (): Kernel => made.kernel;
  const sql = (text: string) => kernel().db.query({ text });
  const nextName = (): string => {
    names += 1;
    return `action-${names}`;
  };
  const read = (id: string): Promise<Job | undefined> =>
    findJob(kernel().db, id, { actor: undefined, lockMode: false });

  return {
    kernel,
    sql,
    read,
    status: async (id: string) => (await read(id))?.status,
    /** The job, once it has ended. */
    async ended(id: string): Promise<Job | undefined> {
      await expect.poll(async () => (await read(id))?.finished ?? null, { timeout: 20_000 }).not.toBeNull();
      return read(id);
    },
    enqueue: (action: string, more: Partial<JobRequest> = {}): Promise<string> =>
      enqueueJob(kernel(), kernel().db, request(action, more)),
    /** Starts workers, like those of several processes. */
    async start(count = 1): Promise<JobWorker[]> {
      const started: JobWorker[] = [];
      for (let n = 0; n < count; n += 1) started.push(await startWorker(kernel()));
      workers.push(...started);
      return started;
    },
    /** Registers an action that runs a function. Returns its name. */
    quick(run: JobAction['run'], more: Partial<JobAction> = {}): string {
      const name = nextName();
      kernel().jobActions.register(quickAction(name, run, more));
      return name;
    },
    /** Registers an action that continues until it may end. */
    slow(options: Parameters<typeof slowAction>[1] = {}): Slow {
      const slow = slowAction(nextName(), options);
      kernel().jobActions.register(slow.action);
      slows.push(slow);
      return slow;
    },
    /** Leases a job for a worker that then dies. */
    take: (actions: string[], more: { worker?: string; running?: string[] } = {}): Promise<LeasedJob | undefined> =>
      leaseJob(kernel().db, {
        worker: randomUUID(),
        leaseMs: 60_000,
        actions,
        maxAttempts: 3,
        running: [],
        ...more,
      }),
    /** Makes all leases expire. */
    expireLeases: () => sql(`update job set due = now() - interval '1 second' where status = 'running'`),
    /** Wakes the workers. */
    notify: () => sql(`select ${WAKE(JOB)}`),
  };
}
