import type { ContentType } from '../types/content-type.ts';
import type { CatalogIndex, IndexSource, OfferedIndex } from './catalog-index.ts';
import { CORE_INDEXES } from './core-indexes.ts';
import { declaredIndexes } from './declared-indexes.ts';
import { keptValues } from './kept-values.ts';

type Types = ReadonlyMap<string, ContentType>;

const registered = new Map<string, CatalogIndex>();

/** Adds an index; core and add-ons use the same call. Objects get their values at their next change or a reindex. */
export function registerIndex(index: CatalogIndex): void {
  registered.set(index.name, index);
}

for (const index of CORE_INDEXES) registerIndex(index);

/** Whether the core or an add-on has registered an index with a name: no type can declare another one. */
export const isRegistered = (name: string): boolean => registered.has(name);

/** The index with a name; undefined for unknown ones. */
export const findIndex = (types: Types, name: string): CatalogIndex | undefined =>
  registered.get(name) ?? declaredIndexes(types).get(name);

/** The indexes that add-ons and types offer to the editor of queries, by their names. */
export function offeredIndexes(types: Types): Map<string, OfferedIndex> {
  const offered = new Map<string, OfferedIndex>();
  for (const index of [...registered.values(), ...declaredIndexes(types).values()])
    if (index.offered) offered.set(index.name, index.offered);
  return offered;
}

/** What the catalog keeps of an object beside its columns: values of its fields, and those of registered indexes. */
export function customValues(source: IndexSource): Record<string, unknown> {
  const values = keptValues(source.fields);
  for (const { name, store } of registered.values()) {
    if (!store) continue;
    const value = store(source);
    if (value === undefined || value === null) delete values[name];
    else values[name] = value;
  }
  return values;
}
