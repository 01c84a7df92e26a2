import { Type } from 'typebox';
import { PREFIX } from '../../catalog/querystring/row.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { VIEW } from '../../security/permissions.ts';
import { componentUrl } from '../../serializer/components.ts';
import { type Call, defineService, ok } from '../service.ts';
import { declaredFields } from './declared-fields.ts';
import { fieldValues, type Values } from './field-values.ts';
import { OPERATORS } from './operators.ts';
import { QUERY_FIELDS, type QueryField } from './query-fields.ts';

/** A field with its operations under their full names, which clients compare with. */
function described(field: QueryField, values: ReadonlyMap<string, Values>): JsonObject {
  const { operations, vocabulary, choices = [], ...rest } = field;
  const chosen = Object.fromEntries(choices.map(([token, title]) => [token, { title }]));
  return {
    ...rest,
    fetch_vocabulary: true,
    vocabulary,
    operations: operations.map((name) => PREFIX + name),
    operators: Object.fromEntries(operations.map((name) => [PREFIX + name, OPERATORS[name]])),
    values: (vocabulary === null ? undefined : values.get(vocabulary)) ?? chosen,
  };
}

async function querystring(call: Call): Promise<JsonObject> {
  const fields = Object.entries({ ...QUERY_FIELDS, ...declaredFields(call.site) });
  const vocabularies = new Set(fields.flatMap(([, { vocabulary }]) => vocabulary ?? []));
  const values = await fieldValues(call, vocabularies);
  const all = (wanted: (field: QueryField) => boolean) =>
    Object.fromEntries(
      fields.filter(([, field]) => wanted(field)).map(([name, field]) => [name, described(field, values)]),
    );
  return {
    '@id': componentUrl(call, call.located, 'querystring'),
    indexes: all(() => true),
    sortable_indexes: all(({ sortable }) => sortable),
  };
}

const Fields = Type.Record(Type.String(), Type.Object({}, { additionalProperties: true }));

/** GET `@querystring`: what listings may be made of (plone.restapi §6.5). */
export const getQuerystring = defineService({
  name: '@querystring',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The indexes, operations and values that the conditions of a listing may use.',
  responses: {
    200: {
      description: 'The fields by their names.',
      schema: Type.Object({ '@id': Type.String({ format: 'uri' }), indexes: Fields, sortable_indexes: Fields }),
    },
  },
  run: async (call) => ok(await querystring(call)),
});
