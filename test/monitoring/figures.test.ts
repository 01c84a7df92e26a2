import { expect, it } from 'vitest';
import { FIGURE_HISTORY, FigureHistory, MAX_MINUTES } from '../../src/features/monitoring/figure-history.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('@figures', (engine) => {
  const site = useTestSite(engine);

  it('Each minute has its requests, failures, times, share of caches, waiting work and size.', async () => {
    const history = site.kernel.slots.get(FIGURE_HISTORY);
    await history.add(site.kernel);
    const before = history.minutes().length;
    for (let n = 0; n < 5; n += 1) expect((await site.request('GET', '/')).status).toBe(200);
    await history.add(site.kernel, new Date('2026-11-27T10:00:00Z'));
    const { status, body } = await site.request('GET', '/@figures');
    expect(status).toBe(200);
    expect(body.items).toHaveLength(before + 1);
    const minute = body.items.at(-1);
    expect(minute).toMatchObject({ time: '2026-11-27T10:00:00.000Z', requests: 5, failed: 0, waiting: 0 });
    expect(minute.median).toBeGreaterThan(0);
    expect(minute.slow).toBeGreaterThanOrEqual(minute.median);
    expect(minute.stored).toBeGreaterThan(1_000_000);
    expect(minute.cached === null || (minute.cached >= 0 && minute.cached <= 1)).toBe(true);
  });

  it('A minute without requests has no times, and while the database is away what is asked of it is missing.', async () => {
    const history = new FigureHistory();
    const away = () => Promise.reject(new Error('away'));
    const db = new Proxy(site.kernel.db, {
      get: (of, name) => (name === 'query' || name === 'figures' ? away : Reflect.get(of, name)),
    });
    history.begin(site.kernel);
    await history.add({ slots: site.kernel.slots, db });
    expect(history.minutes()).toMatchObject([{ requests: 0, median: null, slow: null, waiting: null, stored: null }]);
    for (let n = 0; n < MAX_MINUTES + 5; n += 1) await history.add({ slots: site.kernel.slots, db });
    expect(history.minutes()).toHaveLength(MAX_MINUTES);
  });

  it('Those who may not see the overview of the settings see no figures.', async () => {
    const member = await addPerson(site, { id: 'mem', roles: ['Member'] });
    expect((await site.request('GET', '/@figures', { as: member })).status).toBe(403);
    expect((await site.request('GET', '/@figures', { as: 'anonymous' })).status).toBe(401);
  });
});
