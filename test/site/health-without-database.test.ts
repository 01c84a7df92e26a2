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
    const held = Array.from({ length: CONNECTIONS }, () => site.kernel.db.transaction(() => released));
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
