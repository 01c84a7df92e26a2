import type { Property } from './definition.ts';
import { choice, multipleChoice } from './fields/choices.ts';
import { date, dateTime, time } from './fields/dates.ts';
import { list } from './fields/lists.ts';
import { relationChoice, relationList } from './fields/relations.ts';
import { text, textLine } from './fields/text.ts';

/** Kinds of indexes that a field may declare. */
export const INDEX_KINDS = ['field', 'keyword', 'boolean', 'number', 'date', 'text', 'uuid'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

/** What the same kinds are called in JSON schemas and in Nick's `catalog.json`. */
const ALIASES: Readonly<Record<string, IndexKind>> = {
  string: 'field',
  'string[]': 'keyword',
  integer: 'number',
  'uuid[]': 'uuid',
};

/** The kind that a declaration names; undefined for none. */
export const indexKind = (name: unknown): IndexKind | undefined =>
  INDEX_KINDS.find((kind) => kind === name) ??
  (typeof name === 'string' && Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined);

const factories = (...kinds: readonly { factories: string[] }[]) => new Set(kinds.flatMap((kind) => kind.factories));
const TEXTS = factories(textLine, text);
const DATES = factories(date, dateTime);
const SCALARS = new Set([...TEXTS, ...DATES, ...factories(choice, time)]);
const LISTS = factories(list, multipleChoice);
const RELATIONS = factories(relationChoice, relationList);

/**
 * Widgets and factories of texts that are more than they seem: links are stored by the UID of their target, and
 * nobody searches for passwords.
 */
const isHidden = ({ factory, widget }: Property): boolean => widget === 'internal_url' || factory === 'Password';

const isOf = (known: ReadonlySet<string>, property: Property): boolean =>
  known.has(property.factory) && !isHidden(property);

/** Whether the words of a field can be searched: those of texts and of rich text. */
export const hasWords = (property: Property): boolean => property.factory === 'Rich Text' || isOf(TEXTS, property);

const FITS: Record<IndexKind, { fits(property: Property): boolean; needs: string }> = {
  field: { fits: (property) => isOf(SCALARS, property), needs: 'a text, a date or a choice' },
  keyword: { fits: (property) => isOf(LISTS, property), needs: 'a list of texts' },
  boolean: { fits: ({ type }) => type === 'boolean', needs: 'a truth value' },
  number: { fits: ({ type }) => type === 'integer' || type === 'number', needs: 'a number' },
  date: { fits: (property) => isOf(DATES, property), needs: 'a date' },
  text: { fits: hasWords, needs: 'a text or rich text' },
  uuid: { fits: ({ factory }) => RELATIONS.has(factory), needs: 'a relation' },
};

/** Whether an index of a kind can hold the values of a field. */
export const fitsIndex = (kind: IndexKind, property: Property): boolean => FITS[kind].fits(property);

/** What a field has to hold for an index of a kind, in words. */
export const neededFor = (kind: IndexKind): string => FITS[kind].needs;

/**
 * Whether listings can show the stored value of a field as it is. Files, relations and links are served in another form
 * than they are stored in, depending on what the caller may see.
 */
export const fitsColumn = (property: Property): boolean =>
  FITS.boolean.fits(property) || FITS.number.fits(property) || isOf(SCALARS, property) || isOf(LISTS, property);

/** Whether everybody who sees the object may read the field. */
export const isOpen = ({ read_permission, writeOnly }: Property): boolean =>
  read_permission === undefined && writeOnly !== true;
