import { declaredKind } from '../../catalog/index-registry.ts';
import { type CustomKind, isCustomKind } from '../../catalog/indexes/custom-index.ts';
import type { Site } from '../../site/site.ts';
import {
  BOOLEAN_OPERATIONS,
  DATE_OPERATIONS,
  INTEGER_OPERATIONS,
  KEYWORD_OPERATIONS,
  QUERY_FIELDS,
  type QueryField,
  TEXT_OPERATIONS,
} from './query-fields.ts';

const OPERATIONS: Record<CustomKind, readonly string[]> = {
  field: TEXT_OPERATIONS,
  keyword: KEYWORD_OPERATIONS,
  boolean: BOOLEAN_OPERATIONS,
  number: INTEGER_OPERATIONS,
  date: DATE_OPERATIONS,
};

/** The fields of types that declare an index, as the editor of queries offers them. */
export function declaredFields({ types }: Site): Record<string, QueryField> {
  const fields: Record<string, QueryField> = {};
  for (const field of [...types.values()].flatMap((type) => type.fields)) {
    const kind = declaredKind(field);
    if (!isCustomKind(kind) || Object.hasOwn(QUERY_FIELDS, field.name)) continue;
    fields[field.name] = {
      title: field.title,
      description: field.description ?? '',
      group: kind === 'date' ? 'Dates' : 'Metadata',
      enabled: true,
      sortable: kind !== 'keyword',
      vocabulary: field.vocabulary?.['@id'] ?? field.items?.vocabulary?.['@id'] ?? null,
      operations: OPERATIONS[kind],
    };
  }
  return fields;
}
