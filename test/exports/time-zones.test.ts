import { expect, it } from 'vitest';
import { contentOf } from '../history/history-site.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('events in a time zone', (engine) => {
  const site = useTestSite(engine);
  const { addUser, read } = contentOf(() => site);
  const setZone = async (portal_timezone: string) => {
    const { status } = await site.request('PATCH', '/@controlpanels/date-and-time', { json: { portal_timezone } });
    expect(status).toBe(204);
  };
  const add = async (json: Json, as: Who = 'admin'): Promise<Json> => {
    const { status, text, body } = await site.request('POST', '/', {
      as,
      json: { '@type': 'Event', title: 'E', ...json },
    });
    expect(status, text).toBe(201);
    return body;
  };
  const calendar = async (path: string) =>
    (await site.request('GET', `${path}/ics_view`, { headers: { Accept: 'text/calendar' } })).text.split('\r\n');
  const found = async (from: string, to: string): Promise<string[]> => {
    const query = `portal_type=Event&start.query=${from}&start.query=${to}&start.range=min:max`;
    return (await read(`/@search?${query}`)).items.map(({ title }: Json) => title);
  };

  it('A weekly event stays at its time of day in summer: in searches, and in its calendar with the time zone.', async () => {
    await setZone('Europe/Stockholm');
    const weekly = {
      start: '2027-03-18T18:00:00',
      end: '2027-03-18T20:00:00',
      recurrence: 'RRULE:FREQ=WEEKLY;COUNT=4',
    };
    const event = await add({ title: 'Choir', ...weekly });
    expect(event).toMatchObject({ start: '2027-03-18T17:00:00.000Z', end: '2027-03-18T19:00:00.000Z' });
    // The clocks are put forward on 28 March.
    expect(await found('2027-04-01T16:00:00Z', '2027-04-01T16:00:00Z')).toEqual(['Choir']);
    expect(await found('2027-04-01T17:00:00Z', '2027-04-01T17:00:00Z')).toEqual([]);
    const lines = await calendar(event['@id']);
    expect(lines).toEqual(
      expect.arrayContaining([
        'TZID:Europe/Stockholm',
        'DTSTART;TZID=Europe/Stockholm:20270318T180000',
        'DTEND;TZID=Europe/Stockholm:20270318T200000',
        'RRULE:FREQ=WEEKLY;COUNT=4',
      ]),
    );
    expect(await calendar('')).toEqual(expect.arrayContaining(['BEGIN:VTIMEZONE', 'BEGIN:VEVENT']));
  });

  it('An event of whole days is written as days, one that does not recur in UTC.', async () => {
    const day = await add({ start: '2027-05-01T00:00:00', end: '2027-05-02T23:59:59', whole_day: true });
    expect(await calendar(day['@id'])).toEqual(
      expect.arrayContaining(['DTSTART;VALUE=DATE:20270501', 'DTEND;VALUE=DATE:20270503']),
    );
    const once = await calendar((await add({ start: '2027-05-01T18:00:00', end: '2027-05-01T19:00:00' }))['@id']);
    expect(once).toEqual(expect.arrayContaining(['DTSTART:20270501T160000Z', 'DTEND:20270501T170000Z']));
    expect(once).not.toContain('BEGIN:VTIMEZONE');
    const open = await calendar((await add({ start: '2027-05-01T18:00:00', open_end: true }))['@id']);
    expect(open.filter((line) => line.startsWith('DTEND'))).toEqual([]);
  });

  it('Times without an offset are by the clocks that their writer has chosen, else by those of the site.', async () => {
    const as = await addUser(['Contributor']);
    expect((await add({ start: '2027-06-01T09:00' })).start).toBe('2027-06-01T07:00:00.000Z');
    expect((await add({ start: '2027-06-01' })).start).toBe('2027-05-31T22:00:00.000Z');
    expect((await add({ start: '2027-06-01T09:00Z' })).start).toBe('2027-06-01T09:00:00.000Z');
    expect((await site.request('PATCH', `/@users/${as.id}`, { json: { timezone: 'Asia/Tokyo' } })).status).toBe(204);
    expect((await add({ start: '2027-06-01T09:00' }, as)).start).toBe('2027-06-01T00:00:00.000Z');
    expect((await add({ start: '2027-06-01T09:00+02:00' }, as)).start).toBe('2027-06-01T07:00:00.000Z');
  });

  it('Another time zone of the site moves the times at which events recur, by a job.', async () => {
    await setZone('Europe/Stockholm');
    await add({
      title: 'Yoga',
      start: '2028-03-16T17:00:00Z',
      end: '2028-03-16T18:00:00Z',
      recurrence: 'FREQ=WEEKLY;COUNT=4',
    });
    expect(await found('2028-03-30T16:00:00Z', '2028-03-30T16:00:00Z')).toEqual(['Yoga']);
    await setZone('UTC');
    const worker = await startWorker(site.kernel);
    try {
      await expect
        .poll(() => found('2028-03-30T17:00:00Z', '2028-03-30T17:00:00Z'), { timeout: 30_000 })
        .toEqual(['Yoga']);
    } finally {
      await worker.close();
    }
    expect(await found('2028-03-30T16:00:00Z', '2028-03-30T16:00:00Z')).toEqual([]);
  });

  it('A recurrence that cannot be computed is refused with what to do.', async () => {
    for (const [recurrence, message] of [
      ['RRULE:FREQ=HOURLY', 'FREQ must be one of YEARLY, MONTHLY, WEEKLY, DAILY.'],
      ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20270101', 'by COUNT or by UNTIL'],
      ['RRULE:FREQ=DAILY\nEXDATE:tomorrow', 'is no date such as 20260501'],
      ['RRULE:FREQ=DAILY\nRDATE;TZID=Mars:20270101T000000', 'takes dates in UTC'],
      [`RDATE:${Array(2001).fill('20270101').join(',')}`, '2000 single dates at most'],
    ] as const) {
      const json = { '@type': 'Event', title: 'E', start: '2027-01-01T10:00Z', end: '2027-01-01T11:00Z', recurrence };
      const { status, text } = await site.request('POST', '/', { json });
      expect([status, text]).toEqual([400, expect.stringContaining(message)]);
    }
  });
});
