import { Type } from 'typebox';
import { PREFIX } from '../../catalog/querystring/operations.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { VIEW } from '../../security/permissions.ts';
import { componentUrl } from '../../serializer/components.ts';
import { say } from '../../site/localized-site.ts';
import type { Site } from '../../site/site.ts';
import { defineService, ok, type RequestContext } from '../service.ts';
import { declaredFields } from './declared-fields.ts';
import { fieldValues, type Values } from './field-values.ts';
import { OPERATORS, type Operator } from './operators.ts';
import { QUERY_FIELDS, type QueryField } from './query-fields.ts';

/** An operation in the language of the reader. */
const spoken = (site: Site, { title, description, ...operator }: Operator): JsonObject => ({
  ...operator,
  title: say(site, title),
  description: say(site, description),
});

/** A field with its operations under their full names, which clients compare with. */
function described(site: Site, field: QueryField, values: ReadonlyMap<string, Values>): JsonObject {
  const { title, description, group, operations, vocabulary, choices = [], ...rest } = field;
  const chosen = Object.fromEntries(choices.map(([token, choice]) => [token, { title: say(site, choice) }]));
  return {
    ...rest,
    title: say(site, title),
    description: say(site, description),
    group: say(site, group),
    fetch_vocabulary: true,
    vocabulary,
    operations: operations.map((name) => PREFIX + name),
    operators: Object.fromEntries(
      operations.flatMap((name) => {
        const operator = OPERATORS[name];
        return operator ? [[PREFIX + name, spoken(site, operator)]] : [];
      }),
    ),
    values: (vocabulary === null ? undefined : values.get(vocabulary)) ?? chosen,
  };
}

async function querystring(context: RequestContext): Promise<JsonObject> {
  const fields = Object.entries({ ...QUERY_FIELDS, ...declaredFields(context.site) });
  const vocabularies = new Set(fields.flatMap(([, { vocabulary }]) => vocabulary ?? []));
  const values = await fieldValues(context, vocabularies);
  const all = (wanted: (field: QueryField) => boolean) =>
    Object.fromEntries(
      fields
        .filter(([, field]) => wanted(field))
        .map(([name, field]) => [name, described(context.site, field, values)]),
    );
  return {
    '@id': componentUrl(context, context.resolved, 'querystring'),
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
  run: async (context) => ok(await querystring(context)),
});
