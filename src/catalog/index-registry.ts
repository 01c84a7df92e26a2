import type { ContentType } from '../types/content-type.ts';
import type { CatalogIndex, IndexSource } from './catalog-index.ts';
import { CORE_INDEXES } from './core-indexes.ts';
import { customIndex, isCustomKind } from './indexes/custom-index.ts';

type Types = ReadonlyMap<string, ContentType>;

const registered = new Map<string, CatalogIndex>();

/** Adds an index; core and add-ons use the same call. Objects get their values at their next change or a reindex. */
export function registerIndex(index: CatalogIndex): void {
  registered.set(index.name, index);
}

for (const index of CORE_INDEXES) registerIndex(index);

const declared = new WeakMap<Types, Map<string, CatalogIndex>>();

/** The kind of index that a field of a schema declares with `"index"`, if any. */
export const declaredKind = (field: { name: string; index?: unknown }): unknown => field.index;

/** The indexes that fields of the site's types declare, under the names of the fields. */
function indexesOfTypes(types: Types): Map<string, CatalogIndex> {
  const known = declared.get(types);
  if (known) return known;
  const indexes = new Map<string, CatalogIndex>();
  for (const { fields } of types.values()) {
    for (const field of fields) {
      const kind = declaredKind(field);
      if (isCustomKind(kind) && !registered.has(field.name)) indexes.set(field.name, customIndex(field.name, kind));
    }
  }
  declared.set(types, indexes);
  return indexes;
}

/** The index with a name; undefined for unknown ones. */
export const findIndex = (types: Types, name: string): CatalogIndex | undefined =>
  registered.get(name) ?? indexesOfTypes(types).get(name);

/** The values of an object that no column holds, by the names of their indexes. */
export function customValues(types: Types, source: IndexSource): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, store } of [...registered.values(), ...indexesOfTypes(types).values()]) {
    const value = store?.(source);
    if (value !== undefined && value !== null) values[name] = value;
  }
  return values;
}
