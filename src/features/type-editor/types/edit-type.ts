import { Type } from 'typebox';
import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent, type RequestContext } from '../../../services/service.ts';
import { typePart } from '../../../services/types/type-schema.ts';
import { FACTORY_TITLES } from '../edit-factories.ts';
import { addTypePart, changeSchema, changeTypePart, removeTypePart } from '../edit-type.ts';

const SETTINGS = {
  title: Type.Optional(Type.Unknown({ description: 'Its name in forms.' })),
  description: Type.Optional(Type.Unknown({ description: 'A text that helps to fill it in.' })),
};

const SCHEMA = {
  properties: Type.Optional(
    Type.Unknown({ description: 'Fields by their names, each with its settings; new ones with a `factory`.' }),
  ),
  fieldsets: Type.Optional(
    Type.Unknown({ description: 'List of `{id, title, description?, fields}`; fields move into it in this order.' }),
  ),
  required: Type.Optional(Type.Unknown({ description: 'Names of the fields that may not be empty: no others.' })),
  layouts: Type.Optional(Type.Unknown({ description: 'Names of views, the first of them the usual one.' })),
};

const responses = {
  204: { description: 'Changed.' },
  400: { description: 'A problem for each setting that cannot be, or what stands in the way.' },
  404: { description: 'There is no such type, field or fieldset.' },
};

const request = ({ caller, body: input, rest: [type = ''] }: RequestContext) => ({ caller, input, type });
const namedRequest = (context: RequestContext) => ({ ...request(context), name: context.rest[1] ?? '' });

/** POST `@types/<type>`: adds a field or a fieldset. */
export const postType = defineService({
  name: '@types',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Adds a field or a fieldset to a content type.',
  rest: ['{type}'],
  body: Type.Object(
    {
      factory: Type.Optional(
        Type.Unknown({ description: `"fieldset", or the kind of the field: ${FACTORY_TITLES.join(', ')}.` }),
      ),
      id: Type.Optional(Type.Unknown({ description: 'Its name; follows from the title unless given.' })),
      required: Type.Optional(Type.Unknown({ description: 'Whether a value is needed.' })),
      ...SETTINGS,
    },
    { additionalProperties: true, examples: [{ factory: 'Email', title: 'Author email', required: true }] },
  ),
  responses: {
    201: {
      description: 'The field or the fieldset.',
      headers: { Location: { description: 'Its address.' } },
    },
    400: responses[400],
    404: { description: 'There is no such type.' },
  },
  async run(context) {
    const { kernel, base, rest } = context;
    const name = await addTypePart(kernel, request(context));
    const type = (await kernel.sites.current()).types.get(rest[0] ?? '');
    const address = `${base}/@types/${encodeURIComponent(rest[0] ?? '')}/${encodeURIComponent(name)}`;
    return {
      status: 201,
      headers: { Location: address },
      body: (type && typePart({ base, context: base }, type, name)) ?? {},
    };
  },
});

/** PATCH `@types/<type>`: changes fields and fieldsets, and adds those that are missing. */
export const patchType = defineService({
  name: '@types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes fields and fieldsets of a content type, and adds those that it does not have.',
  rest: ['{type}'],
  body: Type.Object(SCHEMA, {
    additionalProperties: true,
    examples: [{ properties: { author_email: { minLength: 5, default: 'foo@example.org' } } }],
  }),
  responses,
  async run(context) {
    await changeSchema(context.kernel, { ...request(context), whole: false });
    return noContent();
  },
});

/** PUT `@types/<type>`: the whole schema. */
export const putType = defineService({
  name: '@types',
  method: 'PUT',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Replaces the fields and fieldsets that a content type has itself. Those of its behaviors stay.',
  rest: ['{type}'],
  body: Type.Object(SCHEMA, {
    additionalProperties: true,
    examples: [
      {
        properties: { author_email: { factory: 'Email', title: 'Author email' } },
        fieldsets: [{ id: 'author', title: 'Author', fields: ['author_email'] }],
        required: ['author_email'],
        layouts: ['view'],
      },
    ],
  }),
  responses,
  async run(context) {
    await changeSchema(context.kernel, { ...request(context), whole: true });
    return noContent();
  },
});

/** PATCH `@types/<type>/<name>`: changes a field or a fieldset. */
export const patchTypePart = defineService({
  name: '@types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes one field or one fieldset of a content type.',
  rest: ['{type}/{name}'],
  body: Type.Object(
    {
      ...SETTINGS,
      fields: Type.Optional(Type.Unknown({ description: 'Of a fieldset: the fields that move into it, in order.' })),
    },
    { additionalProperties: true, examples: [{ title: 'Author e-mail', maxLength: 20, required: true }] },
  ),
  responses,
  async run(context) {
    await changeTypePart(context.kernel, namedRequest(context));
    return noContent();
  },
});

/** DELETE `@types/<type>/<name>`: removes a field or an empty fieldset. */
export const deleteTypePart = defineService({
  name: '@types',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a field or an empty fieldset from a content type. Values of the field stay in content.',
  rest: ['{type}/{name}'],
  responses: { ...responses, 204: { description: 'Removed.' } },
  async run(context) {
    await removeTypePart(context.kernel, namedRequest(context));
    return noContent();
  },
});
