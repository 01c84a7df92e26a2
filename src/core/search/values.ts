import { BadRequest } from '../../lib/errors.ts';
import { parseInstant } from '../../lib/time/iso-date.ts';
import { DAY_MS } from '../../lib/time/milliseconds.ts';
import { expandRecurrence } from '../../lib/time/recurrence.ts';
import { clocksOf } from '../../lib/time/time-zone.ts';

const YES = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const NO = new Set(['', '0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off', 'none']);
const MINUTE = 60_000;

/** Largest whole number that an index holds: what PostgreSQL's integers and JavaScript's numbers both have. */
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

/** A value for an index of truth values, in the words of plone.restapi. Throws BadRequest for others. */
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

/** The time that a date means when it is looked for exactly: the day if it names no more, else the minute, as in Plone. */
export function dateSpan(index: string, value: unknown): { from: Date; to: Date } {
  const date = parseDate(index, value);
  const length = typeof value === 'string' && value.trim().length <= 10 ? DAY_MS : MINUTE;
  const from = Math.floor(date.getTime() / MINUTE) * MINUTE;
  return { from: new Date(from), to: new Date(from + length) };
}

/** The names of indexes, of columns, and of the fields that they may be made of. */
export const CATALOG_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Characters of one text that are kept. An entry of an index of PostgreSQL has 2,704 bytes at most. */
const MAX_KEPT_LENGTH = 500;
/** Texts of one list that are kept. */
const MAX_TEXTS = 500;

/** Fields that indexes of the core are made of, and the names of those. Their values are not kept once more. */
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

/** The form in which a value is kept; undefined for what no index holds. */
export function keptValue(value: unknown): unknown {
  if (typeof value === 'boolean' || isShort(value)) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter(isShort).slice(0, MAX_TEXTS);
  return texts.length === 0 ? undefined : texts;
}

/**
 * The values that the catalog stores of the fields of an object, by their names: every number, truth value, short text and list of
 * short texts. They do not depend on the declarations of types: an index that is declared today finds what was written yesterday.
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

/** A kept value in the form in which ranges of it are searched: a number, or a text, which may name a point in time. */
export type RangedValue = { name: string; number: number | null; text: string | null; at: string | null };

/** The form in which fields of dates store them. */
const STORED_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/;

/** The values in which ranges are searched, of those that the catalog stores of one object. */
export const rangedValues = (kept: Record<string, unknown>): RangedValue[] =>
  Object.entries(kept).flatMap(([name, value]): RangedValue[] => {
    if (typeof value === 'number') return [{ name, number: value, text: null, at: null }];
    if (typeof value !== 'string') return [];
    const at = STORED_DATE.test(value) ? parseInstant(value)?.toISOString() : undefined;
    return [{ name, number: null, text: value, at: at ?? null }];
  });

/** Times of one event that are kept: about eight years of every day. */
const MAX_TIMES = 3000;
/** How far from its beginning an event without an end is followed, in milliseconds: 30 years. */
const MAX_DISTANCE_MS = 30 * 365.25 * 86_400_000;
const MAX_INSTANT = Date.UTC(9999, 11, 31);

const instant = (value: unknown): Date | undefined => (typeof value === 'string' ? parseInstant(value) : undefined);

/** Points in time as PostgreSQL writes a multirange. */
const points = (times: readonly number[]): string =>
  `{${times.map((time) => new Date(time).toISOString()).map((text) => `[${text},${text}]`)}}`;

/**
 * When an object begins and ends, as texts of tstzmultirange: one point for each time that it takes place, by the clocks of
 * `timeZone`. Null for what has no such date. It depends on nothing else, so that an index that is built anew is the same.
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
