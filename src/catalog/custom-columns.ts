import type { ContentType } from '../types/content-type.ts';
import type { MetadataSource } from './metadata.ts';

type Column = (source: MetadataSource, type: ContentType | undefined) => unknown;

const registered = new Map<string, Column>();

/** Adds a column that listings can show (`metadata_fields`). The value is JSON, made of what lists load. */
export function registerColumn(name: string, value: Column): void {
  registered.set(name, value);
}

const declared = new WeakMap<ContentType, string[]>();

/** Whether a field of a schema is a column by its `"column": true`, and everybody who sees the object may read it. */
const isColumn = (field: { name: string; column?: unknown; read_permission?: string }): boolean =>
  field.column === true && field.read_permission === undefined;

/** Names of the fields of a type that are columns. */
function columnsOf(type: ContentType): string[] {
  const names = declared.get(type) ?? type.fields.filter(isColumn).map(({ name }) => name);
  declared.set(type, names);
  return names;
}

/** The columns that add-ons have registered, and those that the object's type declares. */
export function customColumns(source: MetadataSource, type: ContentType | undefined): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const name of type ? columnsOf(type) : []) columns[name] = source.fields[name] ?? null;
  for (const [name, value] of registered) columns[name] = value(source, type) ?? null;
  return columns;
}
