import type { OfferedIndex } from '../../catalog/catalog-index.ts';
import type { Site } from '../../site/site.ts';
import type { IndexKind } from '../../types/index-kinds.ts';
import {
  BOOLEAN_OPERATIONS,
  CHOICE_OPERATIONS,
  CONTAINS,
  DATE_OPERATIONS,
  INTEGER_OPERATIONS,
  KEYWORD_OPERATIONS,
  type QueryField,
  REFERENCE_OPERATIONS,
  TEXT_OPERATIONS,
} from './query-fields.ts';

const OPERATIONS: Record<IndexKind, readonly string[]> = {
  field: TEXT_OPERATIONS,
  keyword: KEYWORD_OPERATIONS,
  boolean: BOOLEAN_OPERATIONS,
  number: INTEGER_OPERATIONS,
  date: DATE_OPERATIONS,
  text: CONTAINS,
  uuid: REFERENCE_OPERATIONS,
};

function queryField({ kind, field, title, description, group, enabled, sortable }: OfferedIndex): QueryField {
  const vocabulary = field?.vocabulary?.['@id'] ?? field?.items?.vocabulary?.['@id'];
  const choices = field?.choices ?? field?.items?.choices;
  const chosen = kind === 'field' && (vocabulary ?? choices) !== undefined;
  return {
    ...{ title, description, group, enabled, sortable },
    vocabulary: kind === 'uuid' ? null : (vocabulary?.split('/@vocabularies/').at(-1) ?? null),
    operations: chosen ? CHOICE_OPERATIONS : OPERATIONS[kind],
    ...(choices ? { choices } : {}),
  };
}

/** The indexes that types and add-ons declare, as the editor of queries offers them. */
export const declaredFields = ({ catalog }: Site): Record<string, QueryField> =>
  Object.fromEntries([...catalog.offered()].map(([name, offered]) => [name, queryField(offered)]));
