import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { WAKE } from '../../src/core/queue/statements/claim.ts';
import { JOB } from '../../src/core/queue/statements/jobs.ts';
import { ANONYMOUS } from '../../src/core/security/caller.ts';
import { createScheduledJob } from '../../src/features/jobs/change-scheduled-jobs.ts';
import { nextRun, startDueSchedules } from '../../src/features/jobs/schedule.ts';
import { listJobs } from '../../src/features/jobs/statements/jobs.ts';
import { findScheduledJob } from '../../src/features/jobs/statements/scheduled-jobs.ts';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { describeEachEngine } from '../support/database.ts';
import { createTestKernel } from '../support/site.ts';
import { startWorker } from './job-site.ts';

const at = (text: string): Date => new Date(`2031-03-${text}Z`);

describe('the next run of a schedule', () => {
  it.each([
    ['0 3 * * *', '10T02:59:59.999', '2031-03-10T03:00:00.000Z'],
    ['0 3 * * *', '10T03:00:00.000', '2031-03-11T03:00:00.000Z'],
    ['*/15 * * * *', '10T03:07:00.000', '2031-03-10T03:15:00.000Z'],
    ['30 2 * * 1-5', '08T00:00:00.000', '2031-03-10T02:30:00.000Z'],
    // Clocks of most of Europe skip this hour; UTC does not.
    ['30 2 30 3 *', '01T00:00:00.000', '2031-03-30T02:30:00.000Z'],
    ['0 0 29 2 *', '01T00:00:00.000', '2032-02-29T00:00:00.000Z'],
    ['0 0 * * 7', '10T00:00:00.000', '2031-03-16T00:00:00.000Z'],
    ['@daily', '10T00:00:00.000', '2031-03-11T00:00:00.000Z'],
  ])('the schedule %s after %s runs at %s', (schedule, after, expected) => {
    expect(nextRun(schedule, at(after))?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    ' ',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    'a b c d e',
    '0 0 31 2 *',
    '@reboot',
  ])('the schedule %j has no next run', (schedule) => {
    expect(nextRun(schedule, at('10T00:00:00'))).toBeUndefined();
  });
});

describeEachEngine('scheduled jobs', (engine) => {
  let kernel: Kernel;
  let close: () => Promise<void>;
  const workers: JobWorker[] = [];
  beforeAll(async () => {
    ({ kernel, close } = await createTestKernel(engine));
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    await kernel.db.script('delete from job; delete from scheduled_job');
  });
  afterAll(() => close?.());

  async function schedule(id: string, more: object = {}, now = at('10T00:00:00')): Promise<void> {
    const job = { id, description: '', enabled: true, action: 'purge-recyclebin', params: {}, schedule: '0 3 * * *' };
    await createScheduledJob(kernel, ANONYMOUS, { ...job, ...more }, now);
  }
  const jobs = () => listJobs(kernel.db, { actor: undefined, limit: 2000, offset: 0 });
  const nextOf = async (id: string) => (await findScheduledJob(kernel.db, id))?.nextRun?.toISOString();
  const forget = () => kernel.db.query({ text: 'delete from job' });

  it('a due scheduled job starts without an actor and with the rights of a Manager', async () => {
    await schedule('nightly', { title: 'Tidy up', description: 'Every night' });
    expect(await startDueSchedules(kernel, at('10T02:59:59'))).toEqual(at('10T03:00:00'));
    expect(await jobs()).toEqual([]);
    expect(await startDueSchedules(kernel, at('10T03:00:00'))).toEqual(at('11T03:00:00'));
    expect(await jobs()).toMatchObject([
      { scheduledJob: 'nightly', title: 'Tidy up', description: 'Every night', actor: null, asSystem: true },
    ]);
    expect(await nextOf('nightly')).toBe('2031-03-11T03:00:00.000Z');
  });

  it('a due scheduled job starts once, however many processes look at the same time', async () => {
    await schedule('a');
    await schedule('b');
    await schedule('c', { schedule: '0 4 * * *' });
    await Promise.all(Array.from({ length: 6 }, () => startDueSchedules(kernel, at('10T03:00:01'))));
    expect((await jobs()).map(({ scheduledJob }) => scheduledJob).sort()).toEqual(['a', 'b']);
  });

  it('one run of a scheduled job makes up for all missed ones', async () => {
    await schedule('hourly', { schedule: '0 * * * *' });
    await startDueSchedules(kernel, at('12T10:30:00'));
    expect((await jobs()).length).toBe(1);
    expect(await nextOf('hourly')).toBe('2031-03-12T11:00:00.000Z');
  });

  it('a scheduled job does not start while its last job still waits', async () => {
    await schedule('often', { schedule: '* * * * *' });
    for (const minute of ['01', '02', '03']) await startDueSchedules(kernel, at(`10T00:${minute}:00`));
    expect((await jobs()).length).toBe(1);
    await forget();
    await startDueSchedules(kernel, at('10T00:04:00'));
    expect((await jobs()).length).toBe(1);
  });

  it('a scheduled job does not start while it is disabled, or where its action is unknown', async () => {
    await schedule('off', { enabled: false });
    await schedule('newer');
    await kernel.db.query({ text: `update scheduled_job set action = 'of-a-newer-program' where id = 'newer'` });
    expect(await startDueSchedules(kernel, at('20T00:00:00'))).toBeUndefined();
    expect(await jobs()).toEqual([]);
  });

  it('a scheduled job is disabled when its schedule has no further run', async () => {
    await schedule('last');
    await kernel.db.query({ text: `update scheduled_job set schedule = '0 0 31 2 *'` });
    await startDueSchedules(kernel, at('10T03:00:00'));
    expect(await findScheduledJob(kernel.db, 'last')).toMatchObject({ enabled: false, nextRun: null });
    expect((await jobs()).length).toBe(1);
  });

  it('a scheduled job stays due while the queue is full', async () => {
    await schedule('nightly');
    await kernel.db.query({
      text: `insert into job (id, action, params, title, description, as_system, exclusive)
        select gen_random_uuid(), 'x', '{}', '', '', true, false from generate_series(1, 1000)`,
    });
    await expect(startDueSchedules(kernel, at('10T03:00:00'))).rejects.toMatchObject({ status: 429 });
    expect(await nextOf('nightly')).toBe('2031-03-10T03:00:00.000Z');
    await forget();
    await startDueSchedules(kernel, at('10T03:05:00'));
    expect((await jobs()).length).toBe(1);
  });

  it('a due scheduled job is started and run by one of several workers', async () => {
    let now = at('10T00:00:00');
    await schedule('nightly');
    for (const _ of [1, 2]) workers.push(await startWorker(kernel, { now: () => now }));
    now = at('10T03:00:00');
    await kernel.db.query({ text: `select ${WAKE(JOB)}` });
    await expect.poll(jobs).toMatchObject([{ status: 'completed', result: { entries: 0 } }]);
    expect(await nextOf('nightly')).toBe('2031-03-11T03:00:00.000Z');
  });

  it('a scheduled job starts at its time without a notification', async () => {
    let now = at('10T02:59:59.000');
    await schedule('nightly');
    workers.push(await startWorker(kernel, { now: () => now }));
    now = at('10T03:00:00');
    await expect.poll(jobs, { timeout: 10_000 }).toMatchObject([{ status: 'completed' }]);
  });
});
