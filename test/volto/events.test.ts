import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const HOUR = 60 * 60 * 1000;

describeEachEngine('events as Volto makes them', (engine) => {
  const site = useTestSite(engine, () => ({ profile: 'plone' }));
  const post = (json: Json) => site.request('POST', '/', { json: { '@type': 'Event', title: 'Party', ...json } });

  const zoned = async (portal_timezone: string): Promise<Json> => {
    await site.request('PATCH', '/@controlpanels/date-and-time', { json: { portal_timezone } });
    return (await site.request('GET', '/@types/Event')).body.properties;
  };

  it('The form of an event begins at the full hour and ends an hour later, in the form of Plone.', async () => {
    const before = Date.now() - HOUR;
    const { properties } = (await site.request('GET', '/@types/Event')).body;
    const start = Date.parse(properties.start.default);
    expect(properties.start.default).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\+00:00$/);
    expect(start).toBeGreaterThan(before);
    expect(start).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(properties.end.default) - start).toBe(HOUR);
    const part = (await site.request('GET', '/@types/Event/end')).body;
    expect(Date.parse(part.default)).toBeGreaterThan(before + HOUR);
    expect((await site.request('GET', '/@types/Document')).body.properties).not.toHaveProperty('start');
  });

  it('The full hour is that of the clocks of the site.', async () => {
    const before = Date.now() - HOUR;
    const { start } = await zoned('Australia/Adelaide');
    expect(start.default).toMatch(/T\d\d:30:00\+00:00$/);
    expect(Date.parse(start.default)).toBeGreaterThan(before);
    expect(Date.parse(start.default)).toBeLessThanOrEqual(Date.now());
    expect((await zoned('UTC')).start.default).toMatch(/T\d\d:00:00\+00:00$/);
  });

  it('An event without times is made with those of the form, one with a start ends an hour after it.', async () => {
    const now = await post({});
    expect(now.status).toBe(201);
    expect(now.body.start).toMatch(/T\d\d:00:00\.000Z$/);
    expect(Math.abs(Date.parse(now.body.start) - Date.now())).toBeLessThan(HOUR + 60_000);
    expect(Date.parse(now.body.end) - Date.parse(now.body.start)).toBe(HOUR);
    const later = await post({ start: '2031-05-01T10:00:00Z' });
    expect(later.body).toMatchObject({ start: '2031-05-01T10:00:00.000Z', end: '2031-05-01T11:00:00.000Z' });
    const given = await post({ start: '2031-05-01T10:00:00Z', end: null });
    expect(given.status).toBe(400);
    expect((await post({ start: null })).status).toBe(400);
    expect((await post({ start: 'soon' })).status).toBe(400);
  });

  it('An event of whole days lasts from their first second to their last one, by the clocks of the site.', async () => {
    const days = { start: '2031-05-01T10:00:00Z', end: '2031-05-02T11:00:00Z' };
    const whole = await post({ ...days, whole_day: true });
    expect(whole.body).toMatchObject({ start: '2031-05-01T00:00:00.000Z', end: '2031-05-02T23:59:59.000Z' });
    const at = whole.body['@id'];
    const patch = async (json: Json): Promise<Json> => {
      expect((await site.request('PATCH', at, { json })).status).toBe(204);
      return (await site.request('GET', at)).body;
    };
    expect(await patch({ title: 'Feast' })).toMatchObject({ end: '2031-05-02T23:59:59.000Z' });
    expect(await patch({ end: '2031-05-03' })).toMatchObject({ end: '2031-05-03T23:59:59.000Z' });
    expect(await patch({ whole_day: false, ...days })).toMatchObject({ end: '2031-05-02T11:00:00.000Z' });
    await site.request('PATCH', '/@controlpanels/date-and-time', { json: { portal_timezone: 'Europe/Berlin' } });
    expect(await patch({ whole_day: true })).toMatchObject({
      start: '2031-04-30T22:00:00.000Z',
      end: '2031-05-02T21:59:59.000Z',
    });
    await site.request('PATCH', '/@controlpanels/date-and-time', { json: { portal_timezone: 'UTC' } });
  });

  it('An event without an end lasts to the end of the day on which it starts.', async () => {
    const open = await post({ start: '2031-05-01T10:00:00Z', end: '2031-05-09T11:00:00Z', open_end: true });
    expect(open.body).toMatchObject({ start: '2031-05-01T10:00:00.000Z', end: '2031-05-01T23:59:59.000Z' });
    const plain = await post({ start: '2031-05-01T10:00:00Z', end: '2031-05-09T11:00:00Z' });
    expect(plain.body.end).toBe('2031-05-09T11:00:00.000Z');
  });
});
