import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInBatches } from '../../src/core/kernel/batches.ts';
import type { Transaction } from '../../src/database/database.ts';
import { describeEachEngine } from '../support/database.ts';
import { useJobKernel } from './use-job-kernel.ts';

const KEYS = 1000;

describeEachEngine('changes in batches', (engine) => {
  const { sql, start, enqueue, quick, read, ended, expireLeases, notify } = useJobKernel(engine);
  const effects = async () => (await sql('select n from batch_effect order by n')).map(({ n }) => n);
  const write = (tx: Transaction, keys: number[]) =>
    tx.query({ text: 'insert into batch_effect select unnest($1::int[])', values: [keys] });

  beforeAll(() => sql('create table batch_effect (n integer not null)'));
  afterAll(() => sql('drop table batch_effect'));

  it('a job whose process ends goes on behind its last batch, and does no batch twice', async () => {
    const batches: number[][] = [];
    let reached = () => {};
    let go = () => {};
    const fourth = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const action = quick(async (context) => ({
      count: await runInBatches<number>(context, {
        size: 100,
        count: async () => KEYS,
        select: async (_tx, after = 0, limit) =>
          Array.from({ length: Math.min(limit, KEYS - after) }, (_, i) => after + i + 1),
        async change(tx, keys) {
          batches.push(keys);
          await write(tx, keys);
          if (batches.length !== 4) return;
          reached();
          await gate;
        },
      }),
    }));
    const id = await enqueue(action);
    const [worker] = await start();
    await fourth;
    const closing = worker?.close();
    go();
    await closing;
    expect(await read(id)).toMatchObject({ status: 'created', result: null });
    await start();
    expect(await ended(id)).toMatchObject({ status: 'completed', result: { count: KEYS }, done: KEYS, total: KEYS });
    expect(batches).toHaveLength(10);
    expect(await effects()).toEqual(Array.from({ length: KEYS }, (_, i) => i + 1));
  });

  it('a step of a job that another worker has taken over is rolled back', async () => {
    await sql('delete from batch_effect');
    let runs = 0;
    const action = quick(async ({ step }) => {
      runs += 1;
      if (runs === 1) await sql('update job set attempts = attempts + 1');
      await step(async (tx) => {
        await write(tx, [runs]);
        return { checkpoint: {}, done: 1, total: 1 };
      });
      return undefined;
    });
    const id = await enqueue(action);
    await start();
    await expect.poll(() => runs).toBe(1);
    await expireLeases();
    await notify();
    await start();
    expect(await ended(id)).toMatchObject({ status: 'completed' });
    expect(await effects()).toEqual([2]);
  });
});
