import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { jobHealth } from '../../src/features/jobs/queue.ts';
import { abortJob, deleteJob } from '../../src/features/jobs/statements/jobs.ts';
import { finishJob, renewLease } from '../../src/features/jobs/statements/lease.ts';
import { describeEachEngine } from '../support/database.ts';
import { useJobKernel } from './use-job-kernel.ts';

describeEachEngine('jobs and workers that are lost', (engine) => {
  const { kernel, sql, start, enqueue, quick, slow, read, status, ended, take, expireLeases, notify } =
    useJobKernel(engine);

  describe('a job whose worker has died', () => {
    it('is taken again when its lease is over, not before', async () => {
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

    it('is taken again three times at most, and fails then', async () => {
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

    it('is not taken again by a worker that is still at it', async () => {
      const action = quick(async () => undefined);
      const id = await enqueue(action);
      await take([action]);
      await expireLeases();
      expect(await take([action], { running: [id] })).toBeUndefined();
      expect(await take([action], { running: [] })).toMatchObject({ id, attempts: 2 });
    });

    it('keeps its place among those that run alone until then', async () => {
      const action = quick(async () => undefined, { exclusive: true });
      const [first, second] = [await enqueue(action), await enqueue(action)];
      await take([action]);
      expect(await take([action])).toBeUndefined();
      await expireLeases();
      expect((await take([action]))?.id).toBe(first);
      expect(await status(second)).toBe('created');
    });

    it('ends when it is aborted', async () => {
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

    it('can be removed when its lease is over', async () => {
      const action = quick(async () => undefined);
      const id = await enqueue(action);
      await take([action]);
      expect(await deleteJob(kernel().db, id)).toBe(false);
      await expireLeases();
      expect(await deleteJob(kernel().db, id)).toBe(true);
    });
  });

  describe('a worker that has lost its job to another', () => {
    it('breaks it off and writes nothing more', async () => {
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

    it('cannot end or keep it, even if it took it again itself', async () => {
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
    const age = () => sql(`update job set created = now() - interval '10 minutes'`);

    it('counts jobs that wait, and warns when they wait long', async () => {
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

    it('does not warn of jobs that wait for one that runs alone, but of one whose worker is gone', async () => {
      const action = quick(async () => undefined, { exclusive: true });
      await enqueue(action);
      await enqueue(action);
      await take([action]);
      await age();
      expect(await observe()).toMatchObject({ status: 'pass', observedValue: 1 });
      await sql(`update job set lease_until = now() - interval '10 minutes' where status = 'running'`);
      expect(await observe()).toMatchObject({ status: 'warn', observedValue: 1 });
    });
  });
});
