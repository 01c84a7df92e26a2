import { parseInstant } from '../lib/iso-date.ts';

/** What an index and a column may be called, and the fields that they may be made of. */
export const CATALOG_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;

/** Characters of one text that are kept. An entry of an index of PostgreSQL has 2,704 bytes at most. */
const LONGEST = 500;
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
  typeof value === 'string' && value !== '' && value.length <= LONGEST;

/** The form in which a value is kept; undefined for what no index holds. */
export function keptValue(value: unknown): unknown {
  if (typeof value === 'boolean' || isShort(value)) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter(isShort).slice(0, MAX_TEXTS);
  return texts.length === 0 ? undefined : texts;
}

/**
 * What the catalog keeps of the fields of an object, by their names: every number, truth value, short text and list of
 * short texts. It does not depend on what the types declare, so that an index that is declared today finds what was
 * written yesterday.
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

/** What ranges are searched in, of the values that the catalog keeps of one object. */
export const rangedValues = (kept: Record<string, unknown>): RangedValue[] =>
  Object.entries(kept).flatMap(([name, value]): RangedValue[] => {
    if (typeof value === 'number') return [{ name, number: value, text: null, at: null }];
    if (typeof value !== 'string') return [];
    const at = STORED_DATE.test(value) ? parseInstant(value)?.toISOString() : undefined;
    return [{ name, number: null, text: value, at: at ?? null }];
  });
