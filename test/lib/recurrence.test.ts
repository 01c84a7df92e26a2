import rrule from 'rrule';
import { describe, expect, test } from 'vitest';
import { expandRecurrence, recurrenceLines, validateRecurrence } from '../../src/lib/time/recurrence.ts';

const START = new Date('2026-05-01T08:00:00.000Z'); // a Friday
const RANGE = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2040-01-01T00:00:00Z'), limit: 100 };
const utc = (start: Date) => ({ start, timeZone: 'UTC' });
const days = (text: string, range: Partial<typeof RANGE> = {}, start = START) =>
  expandRecurrence(text, utc(start), { ...RANGE, ...range }).map((date) => date.toISOString().slice(0, 10));

describe('validateRecurrence', () => {
  test.each([
    '',
    'RRULE:FREQ=WEEKLY;COUNT=3',
    'FREQ=DAILY;UNTIL=20261231',
    'rrule:freq=monthly;byday=-1fr',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;INTERVAL=4',
    'RRULE:FREQ=WEEKLY;UNTIL=20260801T000000Z;BYDAY=MO,TU\r\nEXDATE:20260504T000000,20260505T000000\nRDATE;VALUE=DATE:20260903\n',
    'DTSTART:20260501T080000Z\nRRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260408T124900Z;WKST=SU',
    'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1\nEXRULE:FREQ=YEARLY',
  ])('the recurrence rule %j is accepted', (text) => {
    expect(validateRecurrence(text)).toBeUndefined();
  });

  test.each([
    ['every week', 'recurrence rule'],
    ['RRULE:', 'recurrence rule'],
    ['RRULE:COUNT=3', 'FREQ'],
    ['RRULE:FREQ=BOGUS', 'FREQ'],
    ['RRULE:FREQ=SECONDLY', 'FREQ'],
    ['RRULE:FREQ=DAILY;FREQ=DAILY', 'twice'],
    ['RRULE:FREQ=DAILY;X=1', 'X=1'],
    ['RRULE:FREQ=DAILY;INTERVAL=0', 'INTERVAL'],
    ['RRULE:FREQ=DAILY;INTERVAL=-1', 'INTERVAL'],
    ['RRULE:FREQ=DAILY;INTERVAL=99999999999', 'INTERVAL'],
    ['RRULE:FREQ=DAILY;COUNT=x', 'COUNT'],
    ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20261231', 'not by both'],
    ['RRULE:FREQ=DAILY;UNTIL=20260230', 'UNTIL'],
    ['RRULE:FREQ=DAILY;BYHOUR=24', 'BYHOUR'],
    ['RRULE:FREQ=YEARLY;BYMONTH=13', 'BYMONTH'],
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY'],
    ['RRULE:FREQ=MONTHLY;BYDAY=0MO', 'BYDAY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=2MO', 'BYDAY'],
    ['RRULE:FREQ=WEEKLY;BYDAY=XX', 'BYDAY'],
    ['RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,1,2,3,4,5,6,7,8,9', 'times a day'],
    ['EXDATE:20260230T000000', 'date'],
    ['EXDATE;TZID=Europe/Berlin:20260501T080000', 'UTC'],
    ['SUMMARY:Hello', 'SUMMARY'],
    ['RRULE:FREQ=DAILY\n'.repeat(11), 'rules'],
    [`EXDATE:${Array(2001).fill('20260501').join(',')}`, 'dates'],
    ['x'.repeat(60_000), 'characters'],
  ])('the recurrence rule %.60j is rejected', (text, part) => {
    expect(validateRecurrence(text)).toContain(part);
  });
});

describe('expandRecurrence', () => {
  test('an event without recurrence takes place at its start, if that is in the range', () => {
    expect(days('')).toEqual(['2026-05-01']);
    expect(days('', { from: new Date('2026-05-02T00:00:00Z') })).toEqual([]);
    expect(days('nonsense')).toEqual(['2026-05-01']);
  });

  test('COUNT of a recurrence counts from the start, also where the range begins later', () => {
    expect(days('RRULE:FREQ=WEEKLY;COUNT=3')).toEqual(['2026-05-01', '2026-05-08', '2026-05-15']);
    expect(days('RRULE:FREQ=WEEKLY;COUNT=3', { from: new Date('2026-05-09T00:00:00Z') })).toEqual(['2026-05-15']);
  });

  test('UNTIL of a recurrence is the last moment, and as a date its whole day', () => {
    expect(days('RRULE:FREQ=DAILY;UNTIL=20260502T080000Z')).toEqual(['2026-05-01', '2026-05-02']);
    expect(days('RRULE:FREQ=DAILY;UNTIL=20260502T075959Z')).toEqual(['2026-05-01']);
    expect(days('RRULE:FREQ=DAILY;UNTIL=20260502')).toEqual(['2026-05-01', '2026-05-02']);
  });

  test('EXDATE of a recurrence removes a day or a moment, RDATE adds one, at the time of the start', () => {
    const text =
      'RRULE:FREQ=DAILY;COUNT=4\nEXDATE:20260502T000000,20260503T080000Z,20260504T090000Z\nRDATE:20260601T000000';
    expect(expandRecurrence(text, utc(START), RANGE).map((date) => date.toISOString())).toEqual([
      '2026-05-01T08:00:00.000Z',
      '2026-05-04T08:00:00.000Z',
      '2026-06-01T08:00:00.000Z',
    ]);
    expect(days('RRULE:FREQ=DAILY;COUNT=4\nEXRULE:FREQ=DAILY;INTERVAL=2')).toEqual(['2026-05-02', '2026-05-04']);
  });

  test('a recurring event takes place at its start even when the rule does not match it', () => {
    expect(days('RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2')).toEqual(['2026-05-01', '2026-05-04', '2026-05-11']);
  });

  test('a recurrence leaves out days that a month does not have', () => {
    const start = new Date('2026-01-31T08:00:00Z');
    expect(days('RRULE:FREQ=MONTHLY;COUNT=3', {}, start)).toEqual(['2026-01-31', '2026-03-31', '2026-05-31']);
    expect(days('RRULE:FREQ=YEARLY;COUNT=2', { to: new Date('2050-01-01') }, new Date('2028-02-29T00:00:00Z'))).toEqual(
      ['2028-02-29', '2032-02-29'],
    );
  });

  test('the limit bounds the number of returned recurrences', () => {
    expect(days('RRULE:FREQ=DAILY', { limit: 2 })).toEqual(['2026-05-01', '2026-05-02']);
    expect(days('RRULE:FREQ=DAILY', { limit: 0 })).toEqual([]);
  });

  test('recurrences in a range far from the start are found', () => {
    const range = { from: new Date('2026-05-01T00:00:00Z'), to: new Date('2026-05-15T00:00:00Z') };
    const start = new Date('0100-01-01T10:00:00Z');
    expect(days('RRULE:FREQ=DAILY', range, start)).toHaveLength(14);
    expect(days('RRULE:FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4', range, start)).toEqual(['2026-05-04']);
    expect(days('RRULE:FREQ=MONTHLY;BYMONTHDAY=-20', range, start)).toEqual(['2026-05-12']);
  });

  test('recurrence rules that never match, or match too often, take a bounded time', () => {
    const far = { from: new Date('0001-01-01T00:00:00Z'), to: new Date('9999-12-31T00:00:00Z'), limit: 1_000_000_000 };
    const hostile = [
      'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
      'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6',
      'RRULE:FREQ=DAILY;COUNT=999999',
      'RRULE:FREQ=YEARLY;BYDAY=53MO,-53TU;BYSETPOS=366;INTERVAL=9999',
      `RRULE:FREQ=DAILY;BYMINUTE=${Array.from({ length: 60 }, (_, i) => i)}\n`.repeat(10),
      'EXRULE:FREQ=DAILY\nRRULE:FREQ=DAILY',
    ];
    for (const [text, timeZone] of hostile.flatMap((each) => [
      [each, 'UTC'] as const,
      [each, 'Europe/Berlin'] as const,
    ])) {
      expect(validateRecurrence(text)).toBeUndefined();
      const started = performance.now();
      expandRecurrence(text, { start: new Date('0001-01-01T00:00:00Z'), timeZone }, far);
      expect(performance.now() - started, text.slice(0, 60)).toBeLessThan(2000);
    }
  });

  test.each([
    'FREQ=DAILY;INTERVAL=3',
    'FREQ=DAILY;BYMONTH=6,7;BYDAY=MO,WE',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU',
    'FREQ=MONTHLY;BYMONTHDAY=15,-1',
    'FREQ=MONTHLY;BYDAY=2TU,-1FR',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1',
    'FREQ=MONTHLY;INTERVAL=5;BYDAY=FR;BYMONTHDAY=13',
    'FREQ=YEARLY',
    'FREQ=YEARLY;BYMONTH=1,9',
    'FREQ=YEARLY;BYDAY=20MO,-1SU',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
    'FREQ=YEARLY;BYYEARDAY=1,100,-1,366',
    'FREQ=YEARLY;BYWEEKNO=1,20,53;BYDAY=MO',
    'FREQ=YEARLY;BYWEEKNO=-1;WKST=SU',
    'FREQ=YEARLY;INTERVAL=3;BYMONTHDAY=29',
    'FREQ=DAILY;BYHOUR=7,9;BYMINUTE=0,30;INTERVAL=10',
    'FREQ=WEEKLY;BYHOUR=6,18;BYDAY=MO,FR;BYSETPOS=2,-1',
  ])('recurrences are the same as those of rrule for %s', (rule) => {
    const reference = rrule
      .rrulestr(`RRULE:${rule}`, { dtstart: START })
      .between(START, RANGE.to, true, (_, index) => index < 60);
    const found = expandRecurrence(`RRULE:${rule}`, utc(START), { ...RANGE, limit: 61 }).map((date) =>
      date.toISOString(),
    );
    const expected = [...new Set([START, ...reference].map((date) => date.toISOString()))];
    expect(found.slice(0, expected.length)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(5);
  });
});

describe('expandRecurrence in a time zone', () => {
  const timeZone = 'Europe/Stockholm';
  const times = (text: string, start: string, limit = 60) =>
    expandRecurrence(text, { start: new Date(start), timeZone }, { ...RANGE, limit }).map((date) => date.toISOString());

  test('a weekly event stays at its time of day when the clocks are set', () => {
    expect(times('RRULE:FREQ=WEEKLY;COUNT=3', '2026-03-19T17:00:00Z')).toEqual([
      '2026-03-19T17:00:00.000Z',
      '2026-03-26T17:00:00.000Z',
      '2026-04-02T16:00:00.000Z',
    ]);
  });

  test('the days of a recurring event are those of its time zone', () => {
    // 00:30 on a Monday in Stockholm is still Sunday in UTC.
    expect(times('RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2', '2026-06-07T22:30:00Z')).toEqual([
      '2026-06-07T22:30:00.000Z',
      '2026-06-14T22:30:00.000Z',
    ]);
    expect(times('RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260609T000000', '2026-06-07T22:30:00Z')).toEqual([
      '2026-06-07T22:30:00.000Z',
      '2026-06-09T22:30:00.000Z',
    ]);
  });

  test('dates of a recurrence are instants with Z, and by the clocks of the time zone without', () => {
    const start = '2026-06-01T16:00:00Z'; // 18:00 in Stockholm
    expect(times('RRULE:FREQ=DAILY;UNTIL=20260602T160000Z', start)).toHaveLength(2);
    expect(times('RRULE:FREQ=DAILY;UNTIL=20260602T160000', start)).toHaveLength(1);
    expect(times('RRULE:FREQ=DAILY;UNTIL=20260602', start)).toHaveLength(2);
    expect(times('RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20260602T160000Z', start)).toHaveLength(1);
    expect(times('RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20260602T180000', start)).toHaveLength(1);
    expect(times('RDATE:20260603T120000Z,20260604T120000,20260605', start).slice(1)).toEqual([
      '2026-06-03T12:00:00.000Z',
      '2026-06-04T10:00:00.000Z',
      '2026-06-05T16:00:00.000Z',
    ]);
  });

  test('an occurrence at a time that does not exist is an hour later, and of a repeated time it is the first', () => {
    expect(times('RRULE:FREQ=DAILY;COUNT=3', '2026-03-28T01:30:00Z')).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    expect(times('RRULE:FREQ=DAILY;COUNT=3', '2026-10-24T00:30:00Z')).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });
});

describe('recurrenceLines', () => {
  test('recurrence lines keep rules, and single dates get the form and the time that calendars compare', () => {
    const text =
      'DTSTART:20200101T000000Z\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4\nEXDATE:20260515T000000,20260529T080000Z\nRDATE;VALUE=DATE:20260601';
    expect(recurrenceLines(text, START, { timeZone: 'UTC' })).toEqual([
      { name: 'RRULE', value: 'FREQ=WEEKLY;INTERVAL=2;COUNT=4' },
      { name: 'EXDATE', value: '20260515T080000Z,20260529T080000Z' },
      { name: 'RDATE', value: '20260601T080000Z' },
    ]);
  });

  test('an event with whole days has days, and one in a time zone the times of its clocks', () => {
    const text = 'RRULE:FREQ=DAILY;UNTIL=20260603T215959Z\nEXDATE:20260602T000000';
    const start = new Date('2026-05-31T22:00:00Z'); // midnight in Stockholm
    const timeZone = 'Europe/Stockholm';
    expect(recurrenceLines(text, start, { timeZone, wholeDay: true })).toEqual([
      { name: 'RRULE', value: 'FREQ=DAILY;UNTIL=20260603' },
      { name: 'EXDATE;VALUE=DATE', value: '20260602' },
    ]);
    expect(recurrenceLines(text, start, { timeZone })).toEqual([
      { name: 'RRULE', value: 'FREQ=DAILY;UNTIL=20260603T215959Z' },
      { name: 'EXDATE;TZID=Europe/Stockholm', value: '20260602T000000' },
    ]);
    expect(recurrenceLines('FREQ=DAILY;UNTIL=20260603;INTERVAL=1', start, { timeZone })).toEqual([
      { name: 'RRULE', value: 'FREQ=DAILY;UNTIL=20260603T215959Z;INTERVAL=1' },
    ]);
  });

  test('an invalid recurrence text has no lines', () => {
    expect(recurrenceLines('RRULE:FREQ=DAILY\nURL:http://example.org', START, { timeZone: 'UTC' })).toEqual([]);
  });
});
