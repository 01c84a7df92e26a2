import { Type } from 'typebox';
import { NotFound } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { VIEW } from '../../security/permissions.ts';
import { needAccount } from '../../serializer/components/types.ts';
import { urlOf } from '../../serializer/render-context.ts';
import type { ContentType } from '../../types/content-type.ts';
import { type Call, defineService } from '../service.ts';
import { type SchemaView, typePart, typeSchema } from './type-schema.ts';

const Schema = Type.Object(
  {
    type: Type.Literal('object'),
    title: Type.String(),
    properties: Type.Record(Type.String(), Type.Object({}, { additionalProperties: true })),
    required: Type.Array(Type.String()),
    fieldsets: Type.Array(
      Type.Object(
        { id: Type.String(), title: Type.String(), fields: Type.Array(Type.String()) },
        { additionalProperties: true },
      ),
    ),
    layouts: Type.Array(Type.String()),
  },
  { additionalProperties: true },
);

const notFound = ({ located, rest }: Call): NotFound => {
  const { path } = located.object;
  return new NotFound(`${path === '/' ? '' : path}/@types/${rest.join('/')}`);
};

/** The type that the address names. Throws Unauthorized for Anonymous, NotFound for none. */
function namedType(call: Call): ContentType {
  needAccount(call.caller);
  const type = call.site.types.get(call.rest[0] ?? '');
  if (!type) throw notFound(call);
  return type;
}

const schemaView = ({ base, located }: Call): SchemaView => ({ base, context: urlOf(base, located.object.path) });

/** The field or fieldset that the address names. Throws NotFound for none. */
function namedPart(call: Call, type: ContentType): JsonObject {
  const part = typePart(schemaView(call), type, call.rest[1] ?? '');
  if (!part) throw notFound(call);
  return part;
}

const responses = {
  401: { description: 'Nobody is logged in.' },
  404: { description: 'There is no such type, field or fieldset.' },
};

/** GET `@types/<type>`: the schema of a type. */
export const getType = defineService({
  name: '@types',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The JSON schema of a content type: its fields, fieldsets and layouts. For users who are logged in.',
  rest: ['{type}'],
  responses: {
    200: { description: 'The schema.', schema: Schema, contentType: 'application/json+schema' },
    ...responses,
  },
  run: async (call) => ({
    status: 200,
    contentType: 'application/json+schema',
    body: typeSchema(schemaView(call), namedType(call)),
  }),
});

/** GET `@types/<type>/<name>`: one field or fieldset of a type. */
export const getTypePart = defineService({
  name: '@types',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'One field or one fieldset of a content type. For users who are logged in.',
  rest: ['{type}/{name}'],
  responses: { 200: { description: 'The field or the fieldset.' }, ...responses },
  run: async (call) => ({ status: 200, body: namedPart(call, namedType(call)) }),
});
