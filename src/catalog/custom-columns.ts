import type { ContentType } from '../types/content-type.ts';
import type { MetadataSource } from './metadata.ts';

type Column = (source: MetadataSource, type: ContentType | undefined) => unknown;

const registered = new Map<string, Column>();

/** Adds a column that listings can show (`metadata_fields`). The value is JSON, made of what lists load. */
export function registerColumn(name: string, value: Column): void {
  registered.set(name, value);
}

/** Whether an add-on has registered a column with a name: no type can declare another one. */
export const isColumnRegistered = (name: string): boolean => registered.has(name);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** A stored value if it is plain. What a field of another kind has left behind, such as a file, is none. */
const plainValue = (value: unknown): unknown =>
  isPlain(value) || (Array.isArray(value) && value.every(isPlain)) ? value : null;

/** The columns that add-ons have registered, and those that the site declares: null where the type has no such field. */
export function customColumns(source: MetadataSource, type: ContentType | undefined): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of type?.columns ?? [])
    columns[name] = field === null ? null : plainValue(source.fields[field]);
  for (const [name, value] of registered) columns[name] = value(source, type) ?? null;
  return columns;
}
