import { Type } from 'typebox';
import { NotFound } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json-object.ts';
import { VIEW } from '../../../security/permissions.ts';
import { requireAccount } from '../../../serializer/components/types.ts';
import { urlOf } from '../../../serializer/render-context.ts';
import { defineService, type RequestContext } from '../../../services/service.ts';
import { type SchemaView, typePart, typeSchema } from '../../../services/types/type-schema.ts';
import type { ContentType } from '../../../types/content-type.ts';

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

const notFound = ({ resolved, rest }: RequestContext): NotFound => {
  const { path } = resolved.object;
  return new NotFound(`${path === '/' ? '' : path}/@types/${rest.join('/')}`);
};

/** The type that the address names. Throws Unauthorized for Anonymous, NotFound for none. */
function namedType(context: RequestContext): ContentType {
  requireAccount(context.caller);
  const type = context.site.types.get(context.rest[0] ?? '');
  if (!type) throw notFound(context);
  return type;
}

const schemaView = ({ base, resolved }: RequestContext): SchemaView => ({
  base,
  context: urlOf(base, resolved.object.path),
});

/** The field or fieldset that the address names. Throws NotFound for none. */
function namedPart(context: RequestContext, type: ContentType): JsonObject {
  const part = typePart(schemaView(context), type, context.rest[1] ?? '');
  if (!part) throw notFound(context);
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
  run: async (context) => ({
    status: 200,
    contentType: 'application/json+schema',
    body: typeSchema(schemaView(context), namedType(context)),
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
  run: async (context) => ({ status: 200, body: namedPart(context, namedType(context)) }),
});
