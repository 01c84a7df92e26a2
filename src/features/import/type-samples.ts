import { type ExportedItem, isEmptyValue } from '@canopy-server/site-reader';
import type { FieldKinds } from '#core';
import { type FieldTerms, kindOfField } from './infer-field.ts';

/** Different choices that one field can have; with more it becomes a field of texts. */
const MAX_TERMS = 500;

/** The fields of a type, as the objects of the export show them. */
export interface TypeSamples {
  /** Takes an object of the type into account. */
  offer(item: ExportedItem): void;
  /** Objects in which every field occurs with every kind of value that it has. */
  readonly items: readonly ExportedItem[];
  termsOf(name: string): FieldTerms | undefined;
  /** Paths of the first object with a value of each field. */
  readonly firstWith: ReadonlyMap<string, string>;
}

/**
 * Picks samples from the objects of one type. There are at most as many as pairs of field and kind, whatever the number of
 * objects.
 * @param isWanted whether a field has to be inferred
 */
export function typeSamples(kinds: FieldKinds, isWanted: (name: string) => boolean = () => true): TypeSamples {
  const seen = new Set<string>();
  const items: ExportedItem[] = [];
  const terms = new Map<string, { titles: Map<string, string>; isComplete: boolean }>();
  const firstWith = new Map<string, string>();

  const note = (name: string, value: unknown, titles: [string, string][]) => {
    if (isEmptyValue(value)) return;
    if (!firstWith.has(name)) firstWith.set(name, '');
    const known = terms.get(name) ?? { titles: new Map(), isComplete: true };
    terms.set(name, known);
    if (titles.length !== (Array.isArray(value) ? value.length : 1)) known.isComplete = false;
    if (!known.isComplete) return;
    for (const [token, title] of titles) if (!known.titles.has(token)) known.titles.set(token, title);
    if (known.titles.size > MAX_TERMS) known.isComplete = false;
  };

  return {
    items,
    firstWith,
    termsOf: (name) => terms.get(name),
    offer(item) {
      for (const [name, value] of Object.entries(item.fields)) {
        if (!isWanted(name)) continue;
        note(name, value, Object.hasOwn(item.terms, name) ? (item.terms[name] ?? []) : []);
        if (firstWith.get(name) === '') firstWith.set(name, item.path);
      }
      for (const { field } of item.files) if (isWanted(field) && !firstWith.has(field)) firstWith.set(field, item.path);
      const marks = [...marksOf(kinds, item, isWanted)].filter((mark) => !seen.has(mark));
      if (marks.length === 0) return;
      for (const mark of marks) seen.add(mark);
      items.push(item);
    },
  };
}

function* marksOf(kinds: FieldKinds, item: ExportedItem, isWanted: (name: string) => boolean): Generator<string> {
  const kindOf = (name: string): string => kindOfField(kinds, name, [item]).factories[0].name;
  yield `folderish ${item.isFolderish}`;
  yield `state ${item.reviewState !== null}`;
  yield `layout ${item.layout}`;
  for (const name of item.given) yield `field ${name}`;
  for (const { field } of item.files) if (isWanted(field)) yield `field ${field} ${kindOf(field)}`;
  for (const [name, value] of Object.entries(item.fields)) {
    if (!isWanted(name)) continue;
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    yield `field ${name} ${isEmpty ? JSON.stringify(value) : kindOf(name)}`;
  }
}
