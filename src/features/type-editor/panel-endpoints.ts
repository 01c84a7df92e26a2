import { type Static, Type } from 'typebox';
import {
  type ContentType,
  controlPanels,
  created,
  defineService,
  fieldSchema,
  MANAGE_PORTAL,
  noContent,
  ok,
  type RequestContext,
  type ResultOf,
  type Service,
  type Site,
  schemas,
} from '#core';
import { NotFound } from '#lib/errors';
import type { JsonObject } from '#lib/json-object';
import { PanelBody } from '../control-panels/panel-json.ts';
import { countTypes } from './statements.ts';
import { createType, removeType, updateType } from './type-panel.ts';
import { TAKEN, TYPE_SETTINGS, typeForm, typeValues } from './type-settings.ts';

/** A content type in the control panel, for descriptions. */
const PanelType = Type.Object({
  ...PanelBody.properties,
  description: Type.String(),
  items: Type.Array(Type.Never(), { maxItems: 0 }),
});

const TypeNames = Type.Union([Type.String(), schemas.AnyObject()]);

const SETTINGS = {
  title: Type.Optional(Type.String({ description: 'How people call it.', message: 'Must be a text.' })),
  description: Type.Optional(
    schemas.Nullable(Type.String(), { description: 'What content of the type is.', message: 'Must be a text.' }),
  ),
  allowed_content_types: Type.Optional(
    schemas.Nullable(Type.Union([TypeNames, Type.Array(TypeNames)]), {
      description: 'Types that may be added inside: their ids or terms.',
      message: 'Must be a list of content types.',
    }),
  ),
  filter_content_types: Type.Optional(
    Type.Union([Type.Boolean(), Type.String(), schemas.AnyObject()], {
      description:
        'Whether only these may be added, otherwise all that may be added anywhere; or `none`, `all` or `some`, bare or as a term.',
      message: `Must be true or false, or one of: ${TAKEN.join(', ')}.`,
    }),
  ),
};

const SWITCHES = { description: 'Further members switch behaviors on and off, by their names.' };

/** The body that makes a type; behaviors are switches beside the settings. */
const NewType = schemas.OpenObject(
  {
    id: Type.Optional(
      Type.String({ description: 'Its name in `@type`; the title unless given.', message: 'Must be a text.' }),
    ),
    ...SETTINGS,
  },
  { ...SWITCHES, examples: [{ title: 'Recipe', description: 'Something to cook', blocks: true }] },
);

/** The body that changes a type. */
const ChangedType = schemas.OpenObject(SETTINGS, {
  ...SWITCHES,
  examples: [{ title: 'Cooking recipe', 'plone.richtext': true }],
});

/** The address of a type in the panel. Spaces are not encoded, as clients expect (Nick, plone.restapi). */
const typeAddress = (base: string, id: string): string =>
  `${base}/@controlpanels/dexterity-types/${encodeURIComponent(id).replaceAll('%20', ' ')}`;

/** The present type with the id in the address. Throws NotFound for an unknown type. */
function requireType(site: Site, id: string): ContentType {
  const type = site.types.get(id);
  if (!type) throw new NotFound(`/@controlpanels/dexterity-types/${id}`);
  return type;
}

/** A type in the panel: its form and its values (Nick and plone.restapi, `@controlpanels/dexterity-types/<type>`). */
function typeJson({ site, base }: Pick<RequestContext, 'site' | 'base'>, type: ContentType): Static<typeof PanelType> {
  const { properties, behaviors } = typeForm(site);
  return {
    '@id': typeAddress(base, type.id),
    title: type.title,
    description: type.description ?? '',
    group: 'Content',
    schema: {
      type: 'object',
      fieldsets: [
        { id: 'default', title: 'Default', fields: [...TYPE_SETTINGS] },
        { id: 'behaviors', title: 'Behaviors', fields: behaviors },
      ],
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, fieldSchema(base, property)]),
      ),
      required: ['title'],
    },
    data: typeValues(site, type),
    items: [],
  };
}

/** GET `@controlpanels/dexterity-types`: the content types. */
const getTypes = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'GET',
  context: 'site',
  permission: controlPanels.OVERVIEW,
  summary: 'Lists the content types, each with the number of its objects.',
  rest: ['dexterity-types'],
  overrides: true,
  responses: {
    200: {
      description: 'The types by title.',
      schema: Type.Object({
        ...PanelBody.properties,
        items: Type.Array(
          Type.Object({
            '@id': Type.String(),
            '@type': Type.String(),
            id: Type.String(),
            title: Type.String(),
            description: Type.String(),
            meta_type: Type.String(),
            count: Type.Integer(),
          }),
        ),
      }),
    },
  },
  async run({ site, base, db }) {
    const counts = new Map((await countTypes(db)).map(({ type, count }) => [type, count]));
    const types = [...site.types.values()].sort(
      (a, b) => a.title.localeCompare(b.title, 'en') || a.id.localeCompare(b.id, 'en'),
    );
    return ok({
      '@id': `${base}/@controlpanels/dexterity-types`,
      title: 'Content Types',
      group: 'Content',
      schema: { type: 'object', fieldsets: [], properties: {}, required: [] },
      data: {},
      items: types.map(({ id, title, description = '' }) => ({
        '@id': typeAddress(base, id),
        '@type': id,
        id,
        title,
        description,
        meta_type: id,
        count: counts.get(id) ?? 0,
      })),
    });
  },
});

/** GET `@controlpanels/dexterity-types/<type>`: the form of a content type and its values. */
const getType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'GET',
  context: 'site',
  permission: controlPanels.OVERVIEW,
  summary: 'The form of a content type and its values: each behavior of the site is a switch.',
  rest: ['dexterity-types/{type}'],
  responses: {
    200: { description: 'The type.', schema: PanelType },
    404: { description: 'There is no such type.' },
  },
  // The stored values, not translated for the reader, because clients send them back.
  run: async (context) => ok(typeJson(context, requireType(context.lookup.site, context.params.type))),
});

const declared = {
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'POST',
  context: 'site',
  permission: MANAGE_PORTAL,
  body: NewType,
  responses: {
    201: {
      description: 'The new type.',
      schema: PanelType,
      headers: { Location: { description: 'Its address in the panel.' } },
    },
    400: { description: 'A problem for each setting, or the id is taken.' },
  },
} as const;

async function create(
  { kernel, caller, base }: Pick<RequestContext, 'kernel' | 'caller' | 'base'>,
  input: JsonObject,
): Promise<ResultOf<typeof declared.responses>> {
  const id = await createType(kernel, { caller, input });
  const site = await kernel.sites.current();
  return created(typeJson({ site, base }, requireType(site, id)), {
    Location: typeAddress(base, id).replaceAll(' ', '%20'),
  });
}

/** POST `@controlpanels/dexterity-types`: makes a content type. */
const postTypes = defineService({
  ...declared,
  summary: 'Makes a content type. It has a title and the usual metadata, and can contain others.',
  rest: ['dexterity-types'],
  run: (context) => create(context, context.body),
});

/** POST `@controlpanels/dexterity-types/<type>`: makes a content type of this id (Volto). */
const postType = defineService({
  ...declared,
  summary: 'Makes a content type with the id of the address.',
  rest: ['dexterity-types/{type}'],
  run: (context) => create(context, { ...context.body, id: context.params.type }),
});

/** PATCH `@controlpanels/dexterity-types/<type>`: changes a content type. */
const patchType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes title, description and contained types of a content type, and switches behaviors on and off.',
  rest: ['dexterity-types/{type}'],
  body: ChangedType,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each setting, or what still needs a behavior.' },
    404: { description: 'There is no such type.' },
  },
  async run({ kernel, caller, body: input, params }) {
    await updateType(kernel, { caller, input, id: params.type });
    return noContent();
  },
});

/** DELETE `@controlpanels/dexterity-types/<type>`: removes a content type. */
const deleteType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a content type of which there is no content.',
  rest: ['dexterity-types/{type}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'There is content of it, or the site or an add-on needs it.' },
    404: { description: 'There is no such type.' },
  },
  async run({ kernel, caller, params }) {
    await removeType(kernel, { caller, id: params.type });
    return noContent();
  },
});

/** The control panel of content types: their titles, contained types and behaviors. */
export const typePanelServices: Service[] = [getTypes, getType, postTypes, postType, patchType, deleteType];
