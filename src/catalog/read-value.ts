import { BadRequest } from '../lib/errors.ts';
import { parseInstant } from '../lib/iso-date.ts';

const YES = new Set(['1', 'y', 'yes', 't', 'true', 'active', 'enabled', 'on']);
const NO = new Set(['', '0', 'n', 'no', 'f', 'false', 'inactive', 'disabled', 'off', 'none']);
const MINUTE = 60_000;
const DAY = 86_400_000;

/** Largest whole number that an index holds: what PostgreSQL's integers and JavaScript's numbers both have. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? String(value);

/** A value for an index of texts. Throws BadRequest for objects and for text that PostgreSQL cannot hold. */
export function readText(index: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string') throw new BadRequest(`Invalid ${index}: ${shown(value)} is no text.`);
  if (value.includes('\u0000') || !value.isWellFormed()) throw new BadRequest(`Invalid ${index}: malformed text.`);
  return value;
}

/** A value for an index of truth values, in the words of plone.restapi. Throws BadRequest for others. */
export function readBoolean(index: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : undefined;
  if (word !== undefined && YES.has(word)) return true;
  if (word !== undefined && NO.has(word)) return false;
  throw new BadRequest(`Invalid ${index}: ${shown(value)} is no truth value. Use true or false.`);
}

/** A value for an index of numbers. Throws BadRequest for what is none. */
export function readNumber(index: string, value: unknown): number {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d{1,16}(?:\.\d{1,16})?\s*$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Math.abs(number) <= LARGEST) return number;
  throw new BadRequest(`Invalid ${index}: ${shown(value)} is no number.`);
}

/** A date of a client: ISO 8601, also with slashes between year, month and day. Undefined for what is none. */
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

/** A value for an index of dates. Throws BadRequest for what is none. */
export function readDate(index: string, value: unknown): Date {
  const date = parseClientDate(value);
  if (date) return date;
  throw new BadRequest(
    `Invalid ${index}: ${shown(value)} is no date. Use one such as 2026-05-01 or 2026-05-01T10:00:00Z.`,
  );
}

/** The time that a date means when it is looked for exactly: the day if it names no more, else the minute, as in Plone. */
export function dateSpan(index: string, value: unknown): { from: Date; to: Date } {
  const date = readDate(index, value);
  const length = typeof value === 'string' && value.trim().length <= 10 ? DAY : MINUTE;
  const from = Math.floor(date.getTime() / MINUTE) * MINUTE;
  return { from: new Date(from), to: new Date(from + length) };
}
