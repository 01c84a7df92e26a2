import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transaction, TransactionOptions } from '../../../src/database/database.ts';
import { startWorker } from '../../jobs/job-site.ts';
import { describeEachEngine } from '../../support/database.ts';
import { ForwardingDatabase } from '../../support/forwarding-database.ts';
import { type Json, startTestSite, type TestSite } from '../../support/site.ts';
import { add, exported, oldSite } from '../again/old-site.ts';
import { stored } from '../import-helpers.ts';
import { endOf, leftOvers, upload, useTemporaryFolder, zipOf } from './archives.ts';

useTemporaryFolder();

/** More than two batches of an import. */
const PAGES = 450;

/** A database that is gone from a moment on, as for a process that is killed: nothing is stored after it, also not the end of the job. */
class KilledDatabase extends ForwardingDatabase {
  isGone = false;

  override transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.isGone ? Promise.reject(new Error('killed')) : super.transaction(work, options);
  }

  override query<Row extends object>(statement: Parameters<ForwardingDatabase['query']>[0]): Promise<Row[]> {
    return this.isGone ? Promise.reject(new Error('killed')) : super.query<Row>(statement);
  }
}

describeEachEngine('an uploaded import whose process is killed', (engine) => {
  let site: TestSite;
  let database: KilledDatabase | undefined;
  beforeAll(async () => {
    site = await startTestSite(engine, { wrap: (db) => (database = new KilledDatabase(db)) });
  });
  afterAll(() => site?.close());

  async function begun(mark: string): Promise<{ id: string; job: string }> {
    const old = oldSite();
    add(old, { uid: mark, type: 'Folder' });
    for (let at = 0; at < PAGES; at += 1)
      add(old, { uid: `${mark}-${at}`, id: `p${at}`, in: mark, review_state: at % 50 === 0 ? 'unheard' : 'published' });
    const { body } = await upload(site, `${mark}.zip`, await zipOf(await exported(old)));
    const start = await site.request('POST', `/@imports/${body.id}/start`, { json: {} });
    return { id: body.id, job: start.headers.get('location') ?? '' };
  }

  /** Runs a worker until an object is there, kills it, and lets its lease end. */
  async function killedAt(path: string): Promise<void> {
    if (!database) throw new Error('There is no database');
    const worker = await startWorker(site.kernel);
    await expect.poll(async () => (await stored(site.kernel)).has(path), { timeout: 60_000, interval: 5 }).toBe(true);
    database.isGone = true;
    await worker.close();
    database.isGone = false;
    await database.query({ text: `update job set due = now() - interval '1 second' where status = 'running'` });
  }

  it('It goes on in another process: each object is there once, and the report has each line once.', async () => {
    const { id, job } = await begun('killed');
    await killedAt('/killed/p0');
    const after = [...(await stored(site.kernel)).keys()].filter((path) => path.startsWith('/killed')).length;
    expect(after).toBeGreaterThan(0);
    expect(after).toBeLessThan(PAGES + 1);
    const worker = await startWorker(site.kernel);
    const done = await endOf(site, job, id);
    await worker.close();
    expect(done).toMatchObject({ stored: false, job: { status: 'completed' }, report: { resumed: true } });
    expect([...(await stored(site.kernel)).keys()].filter((path) => path.startsWith('/killed'))).toHaveLength(
      PAGES + 1,
    );
    const objects = done.report.counts.find(({ name }: Json) => name === 'objects');
    expect(objects.created + objects.skipped).toBe(PAGES + 1);
    expect(objects.skipped).toBeGreaterThan(0);
    const { items } = (await site.request('GET', `/@imports/${id}/lines?b_size=1000`)).body;
    expect(new Set(items.map((line: Json) => JSON.stringify(line))).size).toBe(items.length);
    expect(items.filter(({ reason }: Json) => reason === 'state').length).toBeGreaterThan(5);
    expect((await leftOvers(site)).blobs).toEqual([]);
  });

  it('A process that has lost its job writes nothing more.', async () => {
    const { id, job } = await begun('lost');
    const worker = await startWorker(site.kernel);
    await expect
      .poll(async () => (await stored(site.kernel)).has('/lost/p0'), { timeout: 60_000, interval: 5 })
      .toBe(true);
    // Another process takes the job: it has another number of attempts.
    await site.kernel.db.query({
      text: `update job set attempts = attempts + 1, worker = gen_random_uuid() where finished is null`,
    });
    await worker.close();
    const left = (await stored(site.kernel)).size;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await stored(site.kernel)).size).toBe(left);
    await site.kernel.db.query({ text: `update job set due = now() - interval '1 second' where status = 'running'` });
    const other = await startWorker(site.kernel);
    expect(await endOf(site, job, id)).toMatchObject({ job: { status: 'completed' } });
    await other.close();
    expect((await stored(site.kernel)).size).toBeGreaterThan(PAGES);
  });
});
