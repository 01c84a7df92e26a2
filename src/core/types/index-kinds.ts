import type { Property } from './definition.ts';
import type { FieldKinds, KindMark } from './field-kinds.ts';

/** Kinds of indexes that a field may declare. */
export const INDEX_KINDS = ['field', 'keyword', 'boolean', 'number', 'date', 'text', 'uuid'] as const;
export type IndexKind = (typeof INDEX_KINDS)[number];

/** Names of the same kinds in JSON schemas and in Nick's `catalog.json`. */
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

const NEEDS: Readonly<Record<IndexKind, string>> = {
  field: 'a text, a date or a choice',
  keyword: 'a list of texts',
  boolean: 'a truth value',
  number: 'a number',
  date: 'a date',
  text: 'a text or rich text',
  uuid: 'a relation',
};

/** Says if an index of a kind can hold the values of a field. */
export const fitsIndex = (kinds: FieldKinds, kind: IndexKind, field: KindMark): boolean =>
  kinds.of(field).indexes?.includes(kind) ?? false;

/** Returns the type of values that an index of a kind needs, in words. */
export const neededFor = (kind: IndexKind): string => NEEDS[kind];

/** Says if all readers of the object may read the field. */
export const isOpen = ({ read_permission, writeOnly }: Property): boolean =>
  read_permission === undefined && writeOnly !== true;
