import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobHealth } from '../../src/features/jobs/queue.ts';
import { abortJob, deleteJob } from '../../src/features/jobs/statements/jobs.ts';
import { finishJob, renewLease } from '../../src/features/jobs/statements/lease.ts';
import { describeEachEngine } from '../support/database.ts';
import { useJobKernel } from './use-job-kernel.ts';

describeEachEngine('lost jobs and workers', (engine) => {
  const { kernel, sql, start, enqueue, quick, slow, read, status, ended, take, expireLeases, notify } =
    useJobKernel(engine);

  describe('a job whose worker has died', () => {
    it('a job whose worker has died is taken again when its lease expires, not before', async () => {
      const { action, finish } = slow();
      finish();
      const id = await enqueue(action.name);
      expect((await take([action.name]))?.id).toBe(id);
      await start();
      await ended(await enqueue(quick(async () => undefined)));
      expect(await read(id)).toMatchObject({ status: 'running' });
      await expireLeases();
      await notify();
      expect(await ended(id)).toMatchObject({ status: 'completed' });
    });

    it('a job is started three times at most, and fails when its workers die each time', async () => {
      const action = quick(async () => undefined);
      const id = await enqueue(action);
      for (const attempt of [1, 2, 3]) {
        expect((await take([action]))?.attempts).toBe(attempt);
        await expireLeases();
      }
      expect(await take([action])).toBeUndefined();
      await start();
      expect(await ended(id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/ended 3 times/) });
    });

    it('a worker does not take a job again that it still runs', async () => {
      const action = quick(async () => undefined);
      const id = await enqueue(action);
      await take([action]);
      await expireLeases();
      expect(await take([action], { running: [id] })).toBeUndefined();
      expect(await take([action], { running: [] })).toMatchObject({ id, attempts: 2 });
    });

    it('an exclusive job blocks others of its action until its lease expires', async () => {
      const action = quick(async () => undefined, { exclusive: true });
      const [first, second] = [await enqueue(action), await enqueue(action)];
      await take([action]);
      expect(await take([action])).toBeUndefined();
      await expireLeases();
      expect((await take([action]))?.id).toBe(first);
      expect(await status(second)).toBe('created');
    });

    it('a job whose worker has died ends when it is aborted', async () => {
      const action = quick(async () => undefined);
      const [first, second] = [await enqueue(action), await enqueue(action)];
      await take([action]);
      await take([action]);
      await abortJob(kernel().db, first);
      expect(await status(first)).toBe('running');
      await expireLeases();
      await abortJob(kernel().db, second);
      expect(await status(second)).toBe('aborted');
      await start();
      expect(await ended(first)).toMatchObject({ status: 'aborted', error: null });
    });

    it('a job whose worker has died can be removed when its lease expires', async () => {
      const action = quick(async () => undefined);
      const id = await enqueue(action);
      await take([action]);
      expect(await deleteJob(kernel().db, id)).toBe(false);
      await expireLeases();
      expect(await deleteJob(kernel().db, id)).toBe(true);
    });
  });

  describe('a worker that has lost its job to another', () => {
    it('a worker that has lost its job cancels it and writes nothing more', async () => {
      const { action, runs } = slow();
      const id = await enqueue(action.name);
      await start();
      await expect.poll(() => runs.length).toBe(1);
      await sql('update job set worker = gen_random_uuid(), attempts = 2');
      runs[0]?.progress(1, 2);
      await expect.poll(() => runs[0]?.signal.aborted).toBe(true);
      await ended(await enqueue(quick(async () => undefined)));
      expect(await read(id)).toMatchObject({ status: 'running', done: null, finished: null });
    });

    it('a worker can neither finish nor renew a lost lease, even if it has leased the job again', async () => {
      const action = quick(async () => undefined);
      await enqueue(action);
      const worker = randomUUID();
      const before = await take([action], { worker });
      await expireLeases();
      const now = await take([action], { worker });
      if (!before || !now) throw new Error('not taken');
      const outcome = { status: 'completed', progress: undefined } as const;
      expect(await renewLease(kernel().db, before, { leaseMs: 1000, progress: undefined })).toBeUndefined();
      expect(await finishJob(kernel().db, before, outcome)).toBe(false);
      expect(await renewLease(kernel().db, now, { leaseMs: 1000, progress: undefined })).toEqual({
        abortRequested: false,
      });
      expect(await finishJob(kernel().db, now, outcome)).toBe(true);
    });
  });

  describe('the health of the queue', () => {
    const observe = () => jobHealth.observe(kernel());
    const age = () =>
      sql(`update job set created = now() - interval '10 minutes',
        due = case when status = 'created' then now() - interval '10 minutes' else due end`);

    it('the health check of the queue counts waiting jobs and warns when they wait long', async () => {
      const action = quick(async () => undefined);
      expect(await observe()).toEqual({ status: 'pass', observedValue: 0, observedUnit: 'jobs' });
      await enqueue(action);
      await enqueue(action);
      expect(await observe()).toMatchObject({ status: 'pass', observedValue: 2 });
      await age();
      expect(await observe()).toMatchObject({
        status: 'warn',
        observedValue: 2,
        output: expect.stringMatching(/^2 jobs/),
      });
    });

    it('the health check of the queue warns of lost workers, but not of jobs that an exclusive job blocks', async () => {
      const action = quick(async () => undefined, { exclusive: true });
      await enqueue(action);
      await enqueue(action);
      await take([action]);
      await age();
      expect(await observe()).toMatchObject({ status: 'pass', observedValue: 1 });
      await sql(`update job set due = now() - interval '10 minutes' where status = 'running'`);
      expect(await observe()).toMatchObject({ status: 'warn', observedValue: 1 });
    });
  });
});
