import rrule from 'rrule';
import { describe, expect, test } from 'vitest';
import {
  type CalendarEvent,
  calendarEvent,
  calendarFoot,
  calendarHead,
  renderCalendar,
} from '../../src/features/exports/calendar.ts';
import { timeZoneLines } from '../../src/features/exports/time-zone-lines.ts';

const event = (changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  title: 'Event 1',
  start: new Date('2026-04-01T12:49:09.123Z'),
  end: new Date('2026-04-08T12:49:11Z'),
  uid: '405ca717-0c68-43a0-88ac-629a82658675@http://localhost:3000',
  url: 'http://localhost:3000/events/event-1',
  created: new Date('2022-04-02T20:10:00Z'),
  modified: new Date('2022-04-03T20:10:00Z'),
  timeZone: 'UTC',
  ...changes,
});

const unfold = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');
const lines = (changes: Partial<CalendarEvent>): string[] => unfold(calendarEvent(event(changes)));
const value = (name: string, changes: Partial<CalendarEvent>): string | undefined =>
  lines(changes)
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1);

test('a calendar has the documented shape', () => {
  const recurrence = 'RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260408T124900Z';
  expect(renderCalendar({ siteTitle: 'Nick', events: [event({ recurrence })] }).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Nick//NONSGML Nick//EN',
    'X-WR-TIMEZONE:UTC',
    'BEGIN:VEVENT',
    'SUMMARY:Event 1',
    'DTSTART:20260401T124909Z',
    'DTSTAMP:20220403T201000Z',
    'UID:405ca717-0c68-43a0-88ac-629a82658675@http://localhost:3000',
    'CREATED:20220402T201000Z',
    'LAST-MODIFIED:20220403T201000Z',
    'URL:http://localhost:3000/events/event-1',
    'DTEND:20260408T124911Z',
    'RRULE:FREQ=DAILY;INTERVAL=1;UNTIL=20260408T124900Z',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('the parts of a streamed calendar make the whole document', () => {
  const pieces = calendarHead({ siteTitle: 'A, B', language: 'de' }) + calendarEvent(event()) + calendarFoot();
  expect(renderCalendar({ siteTitle: 'A, B', language: 'de', events: [event()] })).toBe(pieces);
  expect(pieces).toContain('PRODID:-//A\\, B//NONSGML A\\, B//DE\r\n');
});

describe('an event', () => {
  test('an event without an end, or with an open one, has no DTEND', () => {
    expect(value('DTEND', { end: null })).toBeUndefined();
    expect(value('DTEND', { openEnd: true })).toBeUndefined();
  });

  test('an event has its further fields where they are known', () => {
    const full = lines({
      location: 'Room 1; left',
      description: 'One\r\nTwo',
      contact: ['Ann', '', null, 'ann@example.org'],
      attendees: ['Bob "B" Smith', 'carl@example.org'],
      wholeDay: true,
    });
    expect(full.slice(9, -2)).toEqual([
      'LOCATION:Room 1\\; left',
      'DESCRIPTION:One\\nTwo',
      'CONTACT:Ann\\, ann@example.org',
      `ATTENDEE;CN="Bob 'B' Smith";ROLE=REQ-PARTICIPANT:invalid:nomail`,
      'ATTENDEE;CN="carl@example.org";ROLE=REQ-PARTICIPANT:mailto:carl@example.org',
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
    ]);
    expect(lines({ location: '', description: null, contact: [null] })).toHaveLength(lines({}).length);
  });

  test('an event has no recurrence line if the stored text is not valid', () => {
    expect(lines({ recurrence: 'RRULE:FREQ=DAILY\nATTACH:http://evil' })).toEqual(lines({}));
  });

  test('an event keeps EXDATE and RDATE', () => {
    expect(value('EXDATE', { recurrence: 'RRULE:FREQ=DAILY\nEXDATE:20260402T000000' })).toBe('20260402T124909Z');
  });
});

describe('times of an event', () => {
  const times = (changes: Partial<CalendarEvent>) =>
    lines(changes).filter((line) => /^(DTSTART|DTEND|RRULE|EXDATE)/.test(line));
  const timeZone = 'Europe/Stockholm';

  test('an event of whole days has days, up to the one after its last', () => {
    const wholeDay = { wholeDay: true, timeZone };
    const day = { start: new Date('2026-05-31T22:00:00Z'), end: new Date('2026-06-01T21:59:59Z') };
    expect(times({ ...wholeDay, ...day })).toEqual(['DTSTART;VALUE=DATE:20260601', 'DTEND;VALUE=DATE:20260602']);
    expect(times({ ...wholeDay, ...day, openEnd: true })).toEqual(['DTSTART;VALUE=DATE:20260601']);
    expect(times({ ...wholeDay, ...day, recurrence: 'RRULE:FREQ=DAILY;UNTIL=20260609\nEXDATE:20260603' })).toEqual([
      'DTSTART;VALUE=DATE:20260601',
      'DTEND;VALUE=DATE:20260602',
      'RRULE:FREQ=DAILY;UNTIL=20260609',
      'EXDATE;VALUE=DATE:20260603',
    ]);
  });

  test('an event that recurs in a time zone is by its clocks, one that does not is in UTC', () => {
    const evening = { start: new Date('2026-03-19T17:00:00Z'), end: new Date('2026-03-19T19:00:00Z'), timeZone };
    expect(times(evening)).toEqual(['DTSTART:20260319T170000Z', 'DTEND:20260319T190000Z']);
    expect(times({ ...evening, recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3\nEXDATE:20260326T000000' })).toEqual([
      'DTSTART;TZID=Europe/Stockholm:20260319T180000',
      'DTEND;TZID=Europe/Stockholm:20260319T200000',
      'RRULE:FREQ=WEEKLY;COUNT=3',
      'EXDATE;TZID=Europe/Stockholm:20260326T180000',
    ]);
  });

  test('a calendar describes the time zone that an event needs', () => {
    const zone = timeZoneLines(timeZone);
    const recurring = event({ timeZone, recurrence: 'RRULE:FREQ=WEEKLY' });
    expect(renderCalendar({ siteTitle: 'A', zone, events: [event({ timeZone })] })).not.toContain('VTIMEZONE');
    expect(renderCalendar({ siteTitle: 'A', zone, events: [recurring] })).toContain(
      `X-WR-TIMEZONE:UTC\r\n${zone}BEGIN:VEVENT`,
    );
  });
});

describe('the description of a time zone', () => {
  /** When the clocks are set by a description in a year: what they show just before, and the offsets before and after. */
  const changes = (zone: string, year: number) =>
    zone
      .split(/BEGIN:(?:DAYLIGHT|STANDARD)/)
      .slice(1)
      .flatMap((part) => {
        const of = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(part.replaceAll('\r', ''))?.[1] ?? '';
        const start = rrule.rrulestr(`DTSTART:${of('DTSTART')}Z\nRRULE:${of('RRULE') || 'FREQ=DAILY;COUNT=1'}`);
        return start
          .between(new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1)))
          .map((date) => `${date.toISOString().slice(0, 16)} ${of('TZOFFSETFROM')} ${of('TZOFFSETTO')}`);
      })
      .sort();

  test.each([
    ['Europe/Stockholm', 1985, ['1985-03-31T02:00 +0100 +0200', '1985-09-29T03:00 +0200 +0100']],
    ['Europe/Stockholm', 2026, ['2026-03-29T02:00 +0100 +0200', '2026-10-25T03:00 +0200 +0100']],
    ['Europe/Stockholm', 2040, ['2040-03-25T02:00 +0100 +0200', '2040-10-28T03:00 +0200 +0100']],
    ['America/New_York', 1999, ['1999-04-04T02:00 -0500 -0400', '1999-10-31T02:00 -0400 -0500']],
    ['America/New_York', 2026, ['2026-03-08T02:00 -0500 -0400', '2026-11-01T02:00 -0400 -0500']],
    ['Australia/Lord_Howe', 2026, ['2026-04-05T02:00 +1100 +1030', '2026-10-04T02:00 +1030 +1100']],
    ['Asia/Kolkata', 2026, []],
  ])('%s in %i', (timeZone, year, expected) => {
    expect(changes(timeZoneLines(timeZone), year)).toEqual(expected);
  });
});

describe('text', () => {
  test('text in a calendar is escaped', () => {
    expect(value('SUMMARY', { title: 'Lunch; with Ann, Bob \\ and "others"' })).toBe(
      'Lunch\\; with Ann\\, Bob \\\\ and "others"',
    );
  });

  test('text in a calendar cannot add lines', () => {
    const hostile = 'x\r\nATTENDEE:y\rEND:VEVENT\n\u0000\u007f\ud800';
    const changed = {
      title: hostile,
      uid: hostile,
      url: hostile,
      location: hostile,
      attendees: [hostile],
      contact: [hostile],
    };
    const names = lines(changed).map((line) => line.split(/[:;]/)[0]);
    expect(names).toEqual([
      'BEGIN',
      'SUMMARY',
      'DTSTART',
      'DTSTAMP',
      'UID',
      'CREATED',
      'LAST-MODIFIED',
      'URL',
      'DTEND',
      'LOCATION',
      'CONTACT',
      'ATTENDEE',
      'END',
      '',
    ]);
    expect(value('SUMMARY', changed)).toBe('x\\nATTENDEE:y\\nEND:VEVENT\\n');
  });

  test('lines of a calendar are folded at 75 octets, between characters', () => {
    for (const title of [
      'Ümläuten and 漢字, 🎉 '.repeat(30),
      'a'.repeat(66),
      'a'.repeat(67),
      'a'.repeat(68),
      '🎉'.repeat(100),
    ]) {
      const text = calendarEvent(event({ title }));
      expect(text).not.toContain('\ufffd');
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      expect(value('SUMMARY', { title })).toBe(title.replaceAll(',', '\\,'));
    }
  });
});
