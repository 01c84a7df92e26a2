import { tokenOf } from '@canopy-server/plone-export';
import type { ExportedItem } from '@canopy-server/site-reader';
import type { Behavior, FieldKind, FieldKinds, Property } from '#core';

/** The tokens of the choices in a field with their titles; `isComplete` unless it has other values too, or too many. */
export type FieldTerms = { titles: ReadonlyMap<string, string>; isComplete: boolean };

/** The context from which the fields of a type are inferred. */
export type FieldInference = {
  kinds: FieldKinds;
  /** The behaviors of the site. A field with the name of one of their fields must have its kind. */
  behaviors: Iterable<Behavior>;
  /** The choices that the fields of the type have. */
  termsOf(name: string): FieldTerms | undefined;
  /** True if a field can have the name. */
  mayName(name: string): boolean;
};

/** The kind of field that fits all values that the samples have for it; that of an empty text when none has any. */
export function kindOfField(kinds: FieldKinds, name: string, items: readonly ExportedItem[]): FieldKind {
  const samples: Parameters<FieldKinds['recognize']>[0][number][] = [];
  for (const { fields, files } of items) {
    for (const file of files) {
      if (file.field !== name) continue;
      const { contentType, width, height } = file;
      samples.push({
        file: { contentType, ...(width !== undefined && { width }), ...(height !== undefined && { height }) },
      });
    }
    const value = Object.hasOwn(fields, name) ? fields[name] : null;
    // An empty text is how fields of several kinds say that they have no value.
    if (value !== null && value !== undefined && value !== '') samples.push({ value: plainValue(value) });
  }
  const kind = kinds.recognize(samples.length > 0 ? samples : [{ value: '' }]);
  if (!kind) throw new Error('No kind of field takes every value');
  return kind;
}

/** A value with the tokens of its terms: Plone exports choices as `{token, title}`. */
function plainValue(value: unknown): unknown {
  if (!Array.isArray(value)) {
    const token = tokenOf(value);
    return token === undefined ? value : (token ?? '');
  }
  return value.map((item) => {
    const token = tokenOf(item);
    return typeof token === 'string' ? token : item;
  });
}

/**
 * The definition of a field that a type gets: a choice where all values are terms, else of the kind that fits all values. What
 * a behavior of the site brings under the same name has its kind, because the server finds it by the name. `known` is the
 * definition where the values do not tell it.
 */
export function fieldProperty(
  { kinds, behaviors, termsOf }: FieldInference,
  name: string,
  items: readonly ExportedItem[],
  known?: Property,
): Property {
  const kind = kindOfField(kinds, name, items);
  const inferred = known ?? choiceOf(name, termsOf(name), items) ?? propertyOf(name, kind);
  const expected = kinds.ofFieldName(name);
  const namesakes = [
    ...(expected ? [propertyOf(name, expected)] : []),
    ...[...behaviors].flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? (properties[name] ?? []) : [],
    ),
  ];
  const [first] = namesakes;
  return first === undefined || namesakes.some((namesake) => kinds.agree(namesake, inferred)) ? inferred : first;
}

/** A choice of the terms that the values are. */
function choiceOf(name: string, terms: FieldTerms | undefined, items: readonly ExportedItem[]): Property | undefined {
  if (!terms?.isComplete || terms.titles.size === 0) return undefined;
  const choices: [string, string][] = [...terms.titles].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  const isList = items.some(({ fields }) => Array.isArray(fields[name]));
  const title = titleFrom(name);
  return isList
    ? { title, factory: 'Multiple Choice', type: 'array', uniqueItems: true, items: { type: 'string', choices } }
    : { title, factory: 'Choice', type: 'string', choices };
}

/** The definition of a field of this kind, as a type stores it. */
function propertyOf(name: string, { factories: [{ name: factory, property }], imported }: FieldKind): Property {
  return { title: titleFrom(name), factory, ...property, ...imported };
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
