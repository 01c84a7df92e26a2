import { describe, expect, test } from 'vitest';
import {
  type CalendarEvent,
  calendarEvent,
  calendarFoot,
  calendarHead,
  renderCalendar,
} from '../../src/features/exports/calendar.ts';

const event = (changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  title: 'Event 1',
  start: new Date('2026-04-01T12:49:09.123Z'),
  end: new Date('2026-04-08T12:49:11Z'),
  uid: '405ca717-0c68-43a0-88ac-629a82658675@http://localhost:3000',
  url: 'http://localhost:3000/events/event-1',
  created: new Date('2022-04-02T20:10:00Z'),
  modified: new Date('2022-04-03T20:10:00Z'),
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
