import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const HOUR = 60 * 60 * 1000;

describeEachEngine('events as Volto makes them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const post = (json: Json) => site.request('POST', '/', { json: { '@type': 'Event', title: 'Party', ...json } });

  it('The form of an event begins now and ends an hour later.', async () => {
    const before = Date.now() - 1000;
    const { properties } = (await site.request('GET', '/@types/Event')).body;
    const start = Date.parse(properties.start.default);
    expect(start).toBeGreaterThanOrEqual(before);
    expect(start).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(properties.end.default) - start).toBe(HOUR);
    const part = (await site.request('GET', '/@types/Event/end')).body;
    expect(Date.parse(part.default)).toBeGreaterThanOrEqual(before + HOUR);
    expect((await site.request('GET', '/@types/Document')).body.properties).not.toHaveProperty('start');
  });

  it('An event without times is made with those of the form, one with a start ends an hour after it.', async () => {
    const now = await post({});
    expect(now.status).toBe(201);
    expect(Math.abs(Date.parse(now.body.start) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(now.body.end) - Date.parse(now.body.start)).toBe(HOUR);
    const later = await post({ start: '2031-05-01T10:00:00Z' });
    expect(later.body).toMatchObject({ start: '2031-05-01T10:00:00.000Z', end: '2031-05-01T11:00:00.000Z' });
    const given = await post({ start: '2031-05-01T10:00:00Z', end: null });
    expect(given.status).toBe(400);
    expect((await post({ start: null })).status).toBe(400);
    expect((await post({ start: 'soon' })).status).toBe(400);
  });
});
