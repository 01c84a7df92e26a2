import type { ContentType, FieldIndex } from '../types/content-type.ts';
import { allOf, type CatalogIndex } from './catalog-index.ts';
import { type Constraint, constraint } from './constraint.ts';
import { keptIndex } from './indexes/kept-index.ts';
import { referenceIndex } from './indexes/reference-index.ts';
import { textIndex } from './indexes/text-index.ts';
import type { SqlParameters } from './sql-parameters.ts';

type Types = ReadonlyMap<string, ContentType>;

/** An index with all types that declare it, the first of which says how it is shown. */
type Declared = { index: FieldIndex; types: string[] };

function collect(types: Types): Map<string, Declared> {
  const found = new Map<string, Declared>();
  for (const [id, { indexes }] of types) {
    for (const index of indexes) {
      const declared = found.get(index.name);
      if (declared) declared.types.push(id);
      else found.set(index.name, { index, types: [id] });
    }
  }
  return found;
}

/** The index of a field, whatever the type of the object is. */
function ofField({ name, kind, field, sortable }: FieldIndex): CatalogIndex {
  if (kind === 'text') return textIndex(name, { field: field.name });
  if (kind === 'uuid') return referenceIndex(name, field.name);
  return keptIndex({ name, key: field.name, kind, sortable });
}

/** An index that objects of some types are found by, and no others. */
function among(types: readonly string[], index: CatalogIndex): CatalogIndex {
  const isOne = (parameters: SqlParameters) => `c.type = any(${parameters.add(types)}::text[])`;
  return {
    ...index,
    condition(given, parameters, context) {
      const has = (part: Constraint) => {
        const found = index.condition?.(part, parameters, context);
        return found && `(${found}) and ${isOne(parameters)}`;
      };
      const hasNot = (values: readonly unknown[]) => {
        const found = has(constraint(values));
        return found && `not (${found})`;
      };
      // Several texts are one with all their words.
      const excluded = index.words ? given.not.map((value) => [value]) : given.not.length === 0 ? [] : [given.not];
      return allOf([given.values.length === 0 ? undefined : has({ ...given, not: [] }), ...excluded.map(hasNot)]);
    },
    ...(index.sort && {
      sort: (parameters) => `case when ${isOne(parameters)} then ${index.sort?.(parameters)} end`,
    }),
  };
}

function compiled({ index, types }: Declared): CatalogIndex {
  const { name, ...offered } = index;
  return { ...among(types, ofField(index)), name, offered };
}

/**
 * The indexes that fields of the site's types declare, by their names. Each finds objects of the types that declare it and
 * no others: a field of the same name elsewhere may be one that not everybody may read.
 */
export const declaredIndexes = (types: Types): ReadonlyMap<string, CatalogIndex> =>
  new Map([...collect(types)].map(([name, declared]) => [name, compiled(declared)]));
