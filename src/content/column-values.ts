import type { ContentObject } from '../storage/content-row.ts';

/** Fields of schemas that are columns of `content`, so that lists can filter and sort by them. */
type ColumnValues = { effective?: Date | null; expires?: Date | null; language?: string | null };

const toDate = (value: unknown): Date | null => (typeof value === 'string' ? new Date(value) : null);

/** Splits stored values into those that are columns and the rest, which is kept as `fields`. */
export function splitColumns(values: Record<string, unknown>): {
  columns: ColumnValues;
  fields: Record<string, unknown>;
} {
  const { effective, expires, language, ...fields } = values;
  const columns: ColumnValues = {};
  if (effective !== undefined) columns.effective = toDate(effective);
  if (expires !== undefined) columns.expires = toDate(expires);
  if (language !== undefined) columns.language = typeof language === 'string' && language !== '' ? language : null;
  return { columns, fields };
}

/** All stored values of an object, columns included, as the field kinds know them. */
export function joinColumns(object: ContentObject): Record<string, unknown> {
  return {
    ...object.fields,
    effective: object.effective?.toISOString() ?? null,
    expires: object.expires?.toISOString() ?? null,
    language: object.language,
  };
}
