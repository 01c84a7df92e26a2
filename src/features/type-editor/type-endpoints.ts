import {
  type ContentType,
  coreComponents,
  created,
  defineService,
  has,
  MANAGE_PORTAL,
  noContent,
  notFoundHere,
  ok,
  type RequestContext,
  type Service,
  schemas,
  urlOf,
  VIEW,
} from '#core';
import { Unauthorized } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import {
  addPart,
  addTypePart,
  changePart,
  changeSchema,
  changeTypePart,
  problemsBeside,
  removeTypePart,
} from './edit-type.ts';
import { ChangedPart, ChangedSchema, NewPart } from './type-bodies.ts';
import { type SchemaView, TypeSchema, typePart, typeSchema } from './type-schema.ts';

/** GET `@types`: the content types, with the types that may be added here. */
const getTypes = defineService({
  name: '@types',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The content types, and which of them the caller may add here. For users who are logged in.',
  responses: {
    200: { description: 'The types by title.', schema: coreComponents.types.schema },
    401: { description: 'Nobody is logged in.' },
  },
  run: async (context) => ok(await coreComponents.types.expand(context, context.resolved)),
});

/** A request for a type, or for its field or fieldset if the address names one. */
type NamedRequest<Names extends object = { type: string }> = RequestContext<Names, object, object>;

/** The type in the address. Throws Unauthorized for Anonymous, and NotFound for an unknown type. */
function namedType(context: NamedRequest): ContentType {
  if (context.caller.id === null) throw new Unauthorized();
  const type = context.site.types.get(context.params.type);
  if (!type) throw notFoundHere(context, '@types');
  return type;
}

/** Users who edit types see all fields, because they send the whole schema back. */
const schemaView = ({ kernel, site, base, caller, resolved }: NamedRequest<object>): SchemaView => ({
  site,
  kinds: kernel.fieldKinds,
  base,
  context: urlOf(base, resolved.object.path),
  container: resolved,
  mayWrite: (permission) => has(site, caller, resolved, permission) || has(site, caller, resolved, MANAGE_PORTAL),
});

/** The field or fieldset in the address. Throws NotFound for an unknown name. */
function namedPart(context: NamedRequest<{ name: string }>, type: ContentType): JsonObject {
  const part = typePart(schemaView(context), type, context.params.name);
  if (!part) throw notFoundHere(context, '@types');
  return part;
}

const responses = {
  401: { description: 'Nobody is logged in.' },
  404: { description: 'There is no such type, field or fieldset.' },
};

/** GET `@types/<type>`: the schema of a type. */
const getType = defineService({
  name: '@types',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The JSON schema of a content type: its fields, fieldsets and layouts. For users who are logged in.',
  rest: ['{type}'],
  responses: {
    200: { description: 'The schema.', schema: TypeSchema, contentType: 'application/json+schema' },
    ...responses,
  },
  run: async (context) => ({
    status: 200,
    contentType: 'application/json+schema',
    body: typeSchema(schemaView(context), namedType(context)),
  }),
});

/** A field with the settings of its kind, or a fieldset. */
const PART = { description: 'The field or the fieldset.', schema: schemas.AnyObject() };

/** GET `@types/<type>/<name>`: one field or fieldset of a type. */
const getTypePart = defineService({
  name: '@types',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'One field or one fieldset of a content type. For users who are logged in.',
  rest: ['{type}/{name}'],
  responses: { 200: PART, ...responses },
  run: async (context) => ok(namedPart(context, namedType(context))),
});

const changed = {
  204: { description: 'Changed.' },
  400: { description: 'A problem for each setting that cannot be, or what stands in the way.' },
  404: { description: 'There is no such type, field or fieldset.' },
};

/** POST `@types/<type>`: adds a field or a fieldset. */
const postType = defineService({
  name: '@types',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Adds a field or a fieldset to a content type.',
  rest: ['{type}'],
  body: NewPart,
  check: (context, { params: { type }, body }) => problemsBeside(context, { given: body, type }, addPart),
  responses: {
    201: { ...PART, headers: { Location: { description: 'Its address.' } } },
    400: changed[400],
    404: { description: 'There is no such type.' },
  },
  async run(context) {
    const { kernel, caller, base, params, body } = context;
    const name = await addTypePart(kernel, { caller, input: body, type: params.type });
    const site = await kernel.sites.current();
    const type = site.types.get(params.type);
    const address = `${base}/@types/${encodeURIComponent(params.type)}/${encodeURIComponent(name)}`;
    const part = type && typePart({ site, kinds: kernel.fieldKinds, base, context: base }, type, name);
    return created(part ?? {}, { Location: address });
  },
});

/** PATCH `@types/<type>`: changes fields and fieldsets, and adds missing ones. */
const patchType = defineService({
  name: '@types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes fields and fieldsets of a content type, and adds those that it does not have.',
  rest: ['{type}'],
  body: ChangedSchema([{ properties: { author_email: { minLength: 5, default: 'foo@example.org' } } }]),
  check: (context, { params: { type }, body }) =>
    problemsBeside(context, { given: body, type }, (editor, sent) => editor.apply(sent, { whole: false })),
  responses: changed,
  async run({ kernel, caller, params: { type }, body: input }) {
    await changeSchema(kernel, { caller, input, type, whole: false });
    return noContent();
  },
});

/** PUT `@types/<type>`: replaces the whole schema. */
const putType = defineService({
  name: '@types',
  method: 'PUT',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Replaces the fields and fieldsets that a content type has itself. Those of its behaviors stay.',
  rest: ['{type}'],
  body: ChangedSchema([
    {
      properties: { author_email: { factory: 'Email', title: 'Author email' } },
      fieldsets: [{ id: 'author', title: 'Author', fields: ['author_email'] }],
      required: ['author_email'],
      layouts: ['view'],
    },
  ]),
  check: (context, { params: { type }, body }) =>
    problemsBeside(context, { given: body, type }, (editor, sent) => editor.apply(sent, { whole: true })),
  responses: changed,
  async run({ kernel, caller, params: { type }, body: input }) {
    await changeSchema(kernel, { caller, input, type, whole: true });
    return noContent();
  },
});

/** PATCH `@types/<type>/<name>`: changes a field or a fieldset. */
const patchTypePart = defineService({
  name: '@types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes one field or one fieldset of a content type.',
  rest: ['{type}/{name}'],
  body: ChangedPart,
  check: (context, { params: { type = '', name = '' }, body }) =>
    problemsBeside(context, { given: body, type }, (editor, sent) => changePart(editor, { type, name }, sent)),
  responses: changed,
  async run({ kernel, caller, params, body: input }) {
    await changeTypePart(kernel, { caller, input, ...params });
    return noContent();
  },
});

/** DELETE `@types/<type>/<name>`: removes a field or an empty fieldset. */
const deleteTypePart = defineService({
  name: '@types',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a field or an empty fieldset from a content type. Values of the field stay in content.',
  rest: ['{type}/{name}'],
  responses: { ...changed, 204: { description: 'Removed.' } },
  async run({ kernel, caller, params }) {
    await removeTypePart(kernel, { caller, ...params });
    return noContent();
  },
});

/** The endpoints of `@types`: the schemas of content types, read and changed. */
export const typeServices: Service[] = [
  getTypes,
  getType,
  getTypePart,
  postType,
  patchType,
  putType,
  patchTypePart,
  deleteTypePart,
];
