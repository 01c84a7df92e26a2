import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite } from '../support/site.ts';

/** More connections than the pool has. */
const CONNECTIONS = 12;

describeEachEngine('@health while the database has no connection left', (engine) => {
  it('@health returns 503 in time and names the failing check while the database has no connection left', async () => {
    const site = await startTestSite(engine);
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { db } = site.kernel;
    const lock = { text: 'select pg_advisory_xact_lock(4711)' };
    // Statements that wait for what a transaction holds: transactions alone leave connections to others.
    const holder = db.transaction(async (tx) => {
      await tx.query(lock);
      await released;
    });
    await sleep(200);
    const held = [holder, ...Array.from({ length: CONNECTIONS }, () => db.query(lock))];
    await sleep(200);
    const start = performance.now();
    const { status, body } = await site.request('GET', '/@health', { as: 'anonymous' });
    expect(performance.now() - start).toBeLessThan(6000);
    expect(status).toBe(503);
    expect(body.checks['database:responseTime'][0].status).toBe('fail');
    release();
    await Promise.all(held);
    // An observation is reused for two seconds.
    await expect
      .poll(async () => (await site.request('GET', '/@health', { as: 'anonymous' })).status, { timeout: 10_000 })
      .toBe(200);
    await site.close();
  });
});
