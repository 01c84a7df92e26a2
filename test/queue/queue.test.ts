import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ItemWorkerOptions, startItemWorker } from '../../src/core/queue/item-worker.ts';
import { type ItemKind, retryDelayMs } from '../../src/core/queue/queue-kind.ts';
import type { QueueWorker } from '../../src/core/queue/queue-worker.ts';
import { countWaiting, enqueue, takeItem } from '../../src/core/queue/statements/items.ts';
import type { Database } from '../../src/database/database.ts';
import { holdFirstWork } from '../../src/lib/process/first-work.ts';
import { createLog } from '../../src/lib/process/process.ts';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/database.ts';

const KIND: ItemKind = {
  name: 'errand',
  concurrency: 3,
  pollMs: 60_000,
  minWaitMs: 10,
  leaseMs: 60_000,
  backoff: { firstMs: 50, lastMs: 100 },
  dropsExpired: false,
  isAnnounced: true,
};

/** Work that notes the topic of each item. */
const note =
  (done: string[]): ItemWorkerOptions['run'] =>
  async ({ topic }) => {
    done.push(topic);
    return undefined;
  };

describe('the pauses between attempts', () => {
  it('a pause is doubled up to its limit, also after very many attempts', () => {
    const pauses = [1, 2, 3, 5000].map((attempts) => retryDelayMs({ firstMs: 10, lastMs: 35 }, attempts));
    expect(pauses).toEqual([10, 20, 35, 35]);
  });

  it('pauses in a list are taken in their order, and the last one stays', () => {
    expect([1, 2, 3].map((attempts) => retryDelayMs([5, 70], attempts))).toEqual([5, 70, 70]);
  });
});

describeEachEngine('the queue', (engine) => {
  let test: TestDatabase;
  let db: Database;
  const workers: QueueWorker[] = [];
  beforeAll(async () => {
    test = await createTestDatabase(engine);
    db = test.database;
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
    await db.query({ text: 'delete from queue_item' });
  });
  afterAll(() => test?.drop());

  const items = (...topics: string[]) => topics.map((topic) => ({ topic, data: { topic } }));
  const waiting = () => countWaiting(db, KIND.name, { attempts: 1, seconds: 60, limit: 100 });
  async function start(run: ItemWorkerOptions['run'], more: Partial<ItemWorkerOptions> = {}): Promise<QueueWorker> {
    const explain = () => ({ isFinal: false, message: 'It failed.' });
    const worker = await startItemWorker({ db, log: createLog('silent'), kind: KIND, run, explain, ...more });
    workers.push(worker);
    return worker;
  }

  it('work is done once by several processes, soon after the commit, and never when its transaction is rolled back', async () => {
    const done: string[] = [];
    for (const _ of [1, 2, 3]) await start(note(done));
    const topics = Array.from({ length: 30 }, (_, number) => `errand ${number}`);
    await db.transaction(async (tx) => {
      await enqueue(tx, KIND, items(...topics));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(done).toEqual([]);
    });
    const undone = db.transaction(async (tx) => {
      await enqueue(tx, KIND, items('undone'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await expect.poll(waiting, { timeout: 10_000 }).toEqual({ waiting: 0, late: 0 });
    expect([...done].sort()).toEqual([...topics].sort());
  });

  it('a worker looks for old work after the start of its process, and for new work at once', async () => {
    const done: string[] = [];
    const quiet = { ...KIND, isAnnounced: false };
    await enqueue(db, quiet, items('old'));
    const beginFirstWork = holdFirstWork(db);
    try {
      await start(note(done), { kind: quiet });
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(done).toEqual([]);
      await enqueue(db, KIND, items('new'));
      await expect.poll(() => done, { timeout: 10_000 }).toEqual(['old', 'new']);
      await enqueue(db, quiet, items('late'));
    } finally {
      beginFirstWork();
    }
    await expect.poll(() => done, { timeout: 10_000 }).toEqual(['old', 'new', 'late']);
  });

  it('work that fails is tried again after its pause, until its lifetime is over', async () => {
    const attempts: number[] = [];
    const reports: boolean[] = [];
    await start(
      async (item) => {
        attempts.push(item.attempts);
        throw new Error('no');
      },
      { onFailure: async (_item, { waits }) => void reports.push(waits) },
    );
    await enqueue(db, { ...KIND, lifetimeMs: 400 }, items('hopeless'));
    await expect.poll(() => reports.at(-1), { timeout: 10_000 }).toBe(false);
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts).toEqual(attempts.map((_, i) => i + 1));
    expect(await waiting()).toEqual({ waiting: 0, late: 0 });
  });

  it('work that every attempt would fail at is given up at once', async () => {
    const reports: object[] = [];
    await start(
      async () => {
        throw new Error('no');
      },
      {
        explain: () => ({ isFinal: true, message: 'Rejected.' }),
        onFailure: async ({ attempts }, failure) => void reports.push({ attempts, ...failure }),
      },
    );
    await enqueue(db, KIND, items('rejected'));
    const error = expect.objectContaining({ message: 'no' });
    await expect
      .poll(() => reports)
      .toEqual([{ attempts: 1, isFinal: true, message: 'Rejected.', waits: false, error }]);
    expect(await waiting()).toEqual({ waiting: 0, late: 0 });
  });

  it('work may ask to be done once more with other data', async () => {
    const seen: unknown[] = [];
    await start(async ({ data, attempts }) => {
      seen.push([data, attempts]);
      return seen.length === 1 ? { delayMs: 20, data: { round: 2 } } : undefined;
    });
    await enqueue(db, KIND, items('twice'));
    await expect
      .poll(() => seen)
      .toEqual([
        [{ topic: 'twice' }, 1],
        [{ round: 2 }, 1],
      ]);
  });

  it('a process does no more at the same time than its kind allows', async () => {
    let running = 0;
    let most = 0;
    await start(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 30));
      running -= 1;
      return undefined;
    });
    await enqueue(db, KIND, items(...Array.from({ length: 9 }, (_, number) => String(number))));
    await expect.poll(waiting).toEqual({ waiting: 0, late: 0 });
    expect(most).toBe(KIND.concurrency);
  });

  it('work of another kind is not taken, and a full queue of one kind leaves room in others', async () => {
    const small = { ...KIND, maxWaiting: 1 };
    expect(await enqueue(db, small, items('first'))).toBe(true);
    expect(await enqueue(db, small, items('second'))).toBe(false);
    const other = { ...small, name: 'other' };
    expect(await takeItem(db, other)).toBeUndefined();
    expect(await enqueue(db, other, items('third'))).toBe(true);
    expect(await takeItem(db, other)).toMatchObject({ topic: 'third', attempts: 1 });
  });

  it('work whose lifetime is over before an attempt is dropped, or gets one attempt, as its kind says', async () => {
    await enqueue(db, KIND, items('late'), { lifetimeMs: -1000 });
    expect(await takeItem(db, { ...KIND, dropsExpired: true })).toBeUndefined();
    expect(await takeItem(db, KIND)).toMatchObject({ topic: 'late' });
    const done: string[] = [];
    await db.query({ text: 'update queue_item set due = now()' });
    await start(note(done), { kind: { ...KIND, dropsExpired: true } });
    await expect.poll(waiting).toEqual({ waiting: 0, late: 0 });
    expect(done).toEqual([]);
  });
});
