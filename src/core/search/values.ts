import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/time/iso-date.ts';
import { DAY_MS } from '../../lib/time/milliseconds.ts';
import { expandRecurrence } from '../../lib/time/recurrence.ts';
import { clocksOf } from '../../lib/time/time-zone.ts';

const YES = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const NO = new Set(['', '0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off', 'none']);
const MINUTE = 60_000;

/** Largest whole number in an index, which fits PostgreSQL's integers and JavaScript's numbers. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? String(value);

/** A value for an index of texts. Throws BadRequest for objects and for text that PostgreSQL cannot hold. */
export function parseText(index: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') throw new BadRequest(`Invalid ${index}: ${shown(value)} is no text.`);
  if (value.includes('\u0000') || !value.isWellFormed()) throw new BadRequest(`Invalid ${index}: malformed text.`);
  return value;
}

/** A value for an index of truth values, in the words of plone.restapi. Throws BadRequest for other words. */
export function parseBoolean(index: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : undefined;
  if (word !== undefined && YES.has(word)) return true;
  if (word !== undefined && NO.has(word)) return false;
  throw new BadRequest(`Invalid ${index}: ${shown(value)} is no truth value. Use true or false.`);
}

/** A value for an index of numbers. Throws BadRequest for a value that is no number. */
export function parseNumber(index: string, value: unknown): number {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d{1,16}(?:\.\d{1,16})?\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Math.abs(number) <= MAX_NUMBER) return number;
  throw new BadRequest(`Invalid ${index}: ${shown(value)} is no number.`);
}

/** A date of a client: ISO 8601, also with slashes between year, month and day. Undefined for a value that is no date. */
export function parseClientDate(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (typeof value !== 'string') return undefined;
  return parseInstant(
    value
      .slice(0, 70)
      .trim()
      .replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'),
  );
}

/** A value for an index of dates. Throws BadRequest for a value that is no date. */
export function parseDate(index: string, value: unknown): Date {
  const date = parseClientDate(value);
  if (date) return date;
  throw new BadRequest(
    `Invalid ${index}: ${shown(value)} is no date. Use one such as 2026-05-01 or 2026-05-01T10:00:00Z.`,
  );
}

/** The period that a date means in an exact search: its day if it has no time, else its minute, as in Plone. */
export function dateSpan(index: string, value: unknown): { from: Date; to: Date } {
  const date = parseDate(index, value);
  const length = typeof value === 'string' && value.trim().length <= 10 ? DAY_MS : MINUTE;
  const from = Math.floor(date.getTime() / MINUTE) * MINUTE;
  return { from: new Date(from), to: new Date(from + length) };
}

/** The form of names of indexes, of columns, and of the fields that they are made from. */
export const CATALOG_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Maximum number of characters of a stored text. An entry of an index of PostgreSQL has at most 2,704 bytes. */
const MAX_KEPT_LENGTH = 500;
/** Maximum number of stored texts of one list. */
const MAX_TEXTS = 500;

/** Fields from which indexes of the core are made, and the names of these indexes. Values of these fields are not stored again. */
export const INDEXED_FIELDS: ReadonlyMap<string, string> = new Map([
  ['title', 'Title, sortable_title'],
  ['description', 'Description'],
  ['subjects', 'Subject'],
  ['text', 'SearchableText'],
  ['blocks', 'SearchableText, block_types'],
  ['blocks_layout', 'SearchableText'],
  ['exclude_from_nav', 'exclude_from_nav'],
  ['relatedItems', 'getRawRelatedItems'],
  ['start', 'start'],
  ['end', 'end'],
  ['effective', 'effective'],
  ['expires', 'expires'],
  ['language', 'Language'],
  ['id', 'getId'],
]);

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_KEPT_LENGTH;

/** The stored form of a value; undefined for a value that no index has. */
export function keptValue(value: unknown): unknown {
  if (typeof value === 'boolean' || isShort(value)) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter(isShort).slice(0, MAX_TEXTS);
  return texts.length === 0 ? undefined : texts;
}

/**
 * The values that the catalog stores of the fields of an object, by their names: every number, truth value, short text and list of short texts. They
 * do not depend on the declarations of types: an index that is declared today finds content that was written yesterday.
 */
export function keptValues(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (INDEXED_FIELDS.has(name) || !CATALOG_NAME.test(name)) continue;
    const form = keptValue(value);
    if (form !== undefined) kept[name] = form;
  }
  return kept;
}

/** A stored value in the form for searches of ranges: a number, or a text, which may be a point in time. */
export type RangedValue = { name: string; number: number | null; text: string | null; at: string | null };

/** The form in which fields store dates. */
const STORED_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/;

/** The stored values of one object that can be searched by ranges. */
export const rangedValues = (kept: Record<string, unknown>): RangedValue[] =>
  Object.entries(kept).flatMap(([name, value]): RangedValue[] => {
    if (typeof value === 'number') return [{ name, number: value, text: null, at: null }];
    if (typeof value !== 'string') return [];
    const at = STORED_DATE.test(value) ? parseInstant(value)?.toISOString() : undefined;
    return [{ name, number: null, text: value, at: at ?? null }];
  });

/** Maximum number of stored times of one event: about eight years of every day. */
const MAX_TIMES = 3000;
/** Maximum distance of a time from the beginning of a repeated event without an end, in milliseconds: 30 years. */
const MAX_DISTANCE_MS = 30 * 365.25 * 86_400_000;
const MAX_INSTANT = Date.UTC(9999, 11, 31);

const instant = (value: unknown): Date | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);

/** Points in time as PostgreSQL writes a multirange. */
const points = (times: readonly number[]): string =>
  `{${times.map((time) => new Date(time).toISOString()).map((text) => `[${text},${text}]`)}}`;

/**
 * The beginnings and ends of an event, as texts of tstzmultirange: one point for each time that it takes place, in `timeZone`. Null without such a
 * date. The result depends on nothing else, so that an index that is built anew is the same.
 */
export function eventTimes(
  fields: Record<string, unknown>,
  timeZone: string,
): { starts: string | null; ends: string | null } {
  const start = instant(fields.start);
  const end = instant(fields.end);
  if (!start) return { starts: null, ends: end ? points([end.getTime()]) : null };
  const to = new Date(Math.min(start.getTime() + MAX_DISTANCE_MS, MAX_INSTANT));
  const recurrence = typeof fields.recurrence === 'string' ? fields.recurrence : '';
  if (recurrence === '') return { starts: points([start.getTime()]), ends: end ? points([end.getTime()]) : null };
  const range = { from: start, to, limit: MAX_TIMES };
  const starts = expandRecurrence(recurrence, { start, timeZone }, range).map((time) => time.getTime());
  if (!end) return { starts: points(starts), ends: null };
  const clocks = clocksOf(timeZone);
  // An event until 20:00 ends at 20:00 in every season, also after a night in which the clocks change (plone.event).
  const length = clocks.wallOf(end.getTime()) - clocks.wallOf(start.getTime());
  const ends = starts.map((time) => clocks.instantOf(clocks.wallOf(time) + length));
  return { starts: points(starts), ends: points(ends.filter((time) => time <= MAX_INSTANT)) };
}
