import { isJsonObject } from '../../../lib/json-object.ts';
import type { Property } from '../../../types/definition.ts';
import type { ImportItem } from '../import-source.ts';
import { isDateTime, tokenOf } from '../json-values.ts';

/** Texts that are longer than this, in characters, want several lines in a form. */
const MAX_LINE = 200;

/** The settings of a field kind, named by its factory as `@types` names it. */
const KINDS = {
  'Text line (String)': { type: 'string' },
  Text: { type: 'string', widget: 'textarea' },
  'Rich Text': { type: 'string', widget: 'richtext' },
  'Yes/No': { type: 'boolean' },
  Integer: { type: 'integer' },
  'Floating-point number': { type: 'number' },
  'Date/Time': { type: 'string', widget: 'datetime' },
  File: { type: 'object' },
  Image: { type: 'object' },
  List: { type: 'array', items: { type: 'string' }, uniqueItems: false },
  'Relation List': {
    type: 'array',
    items: { type: 'string', vocabulary: { '@id': 'plone.app.vocabularies.Catalog' } },
    uniqueItems: true,
  },
  'Relation Choice': { type: 'string', vocabulary: { '@id': 'plone.app.vocabularies.Catalog' } },
  JSONField: { type: 'dict', widget: 'json' },
} satisfies Record<string, Omit<Property, 'title' | 'factory'>>;

export type FieldKind = keyof typeof KINDS;

/** Pairs of kinds that one field may show, and the kind that holds both. */
const WIDER: [FieldKind, FieldKind, FieldKind][] = [
  ['Text line (String)', 'Text', 'Text'],
  ['Integer', 'Floating-point number', 'Floating-point number'],
  ['Image', 'File', 'File'],
  // A text that happens to look like a date.
  ['Date/Time', 'Text line (String)', 'Text line (String)'],
  ['Date/Time', 'Text', 'Text'],
];

/** The kind of field that fits all values that the samples have for it; a text line when none has any. */
export function kindOfField(name: string, samples: readonly ImportItem[]): FieldKind {
  let kind: FieldKind | null = null;
  let hasEmptyList = false;
  for (const { fields, files } of samples) {
    for (const file of files) {
      if (file.field !== name) continue;
      const isImage = file.contentType.startsWith('image/') || (file.width !== undefined && file.height !== undefined);
      kind = widen(kind, isImage ? 'Image' : 'File');
    }
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    // An empty text is how fields of several kinds say that they have no value.
    if (value === null || value === undefined || value === '') continue;
    if (Array.isArray(value) && value.length === 0) hasEmptyList = true;
    else kind = widen(kind, kindOfValue(value));
  }
  // An empty list does not say what it is a list of.
  if (hasEmptyList && kind !== 'Relation List') kind = widen(kind, 'List');
  return kind ?? 'Text line (String)';
}

/** The definition of a field of this kind, as a type stores it. */
export function propertyOf(name: string, kind: FieldKind): Property {
  return { title: titleFrom(name), factory: kind, ...KINDS[kind] };
}

function widen(known: FieldKind | null, seen: FieldKind): FieldKind {
  if (known === null || known === seen) return seen;
  const wider = WIDER.find(([a, b]) => (a === known && b === seen) || (a === seen && b === known));
  return wider?.[2] ?? 'JSONField';
}

function kindOfValue(value: unknown): FieldKind {
  if (typeof value === 'boolean') return 'Yes/No';
  if (typeof value === 'number') return Number.isInteger(value) ? 'Integer' : 'Floating-point number';
  if (typeof value === 'string') return kindOfText(value);
  if (Array.isArray(value)) return kindOfList(value);
  const token = tokenOf(value);
  if (token !== undefined) return token === null ? 'Text line (String)' : kindOfValue(token);
  if (!isJsonObject(value)) return 'JSONField';
  if (typeof value['@id'] === 'string') return 'Relation Choice';
  return 'data' in value && 'content-type' in value && 'encoding' in value ? 'Rich Text' : 'JSONField';
}

function kindOfText(value: string): FieldKind {
  if (isDateTime(value)) return 'Date/Time';
  return value.length > MAX_LINE || value.includes('\n') ? 'Text' : 'Text line (String)';
}

function kindOfList(values: unknown[]): FieldKind {
  if (values.every((value) => typeof value === 'string' || typeof tokenOf(value) === 'string')) return 'List';
  const isRelation = (value: unknown): boolean =>
    isJsonObject(value) && typeof value['@id'] === 'string' && typeof value.UID === 'string';
  return values.every(isRelation) ? 'Relation List' : 'JSONField';
}

/** `remoteUrl` → `Remote url`, `display_frontpage` → `Display frontpage`. */
function titleFrom(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
