import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { contextnavigation } from '../../serializer/components/context-navigation.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

const option = (name: string) => `expand.contextnavigation.${name}`;

const Query = Type.Object({
  [option('name')]: Type.Optional(Type.String({ description: 'Title of the tree.' })),
  [option('root_path')]: Type.Optional(
    Type.String({ description: 'Path of the root; the navigation root unless given.' }),
  ),
  [option('topLevel')]: Type.Optional(
    Type.Integer({ description: 'Levels below the root at which the tree begins, on the way to the content.' }),
  ),
  [option('bottomLevel')]: Type.Optional(
    Type.Integer({ description: 'Levels of the tree; 0 for all up to 10, negative for none.' }),
  ),
  [option('includeTop')]: Type.Optional(
    Type.Boolean({ description: 'Whether the object that the tree begins at comes first.' }),
  ),
  [option('currentFolderOnly')]: Type.Optional(
    Type.Boolean({ description: 'Whether the tree begins at the container of the content.' }),
  ),
  [option('no_icons')]: Type.Optional(Type.Boolean({ description: 'Whether icons are left out.' })),
  [option('no_thumbs')]: Type.Optional(Type.Boolean({ description: 'Whether pictures are left out.' })),
  [option('thumb_scale')]: Type.Optional(Type.String({ description: 'Scale of the pictures.', default: 'thumb' })),
});

const ContextNavigation = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  available: Type.Boolean(),
  has_custom_name: Type.Boolean(),
  items: Type.Array(Type.Object({}, { additionalProperties: true })),
  title: Type.String(),
  url: Type.String({ format: 'uri' }),
});

/** GET `@contextnavigation`: the tree of the section that content is in. */
export const getContextnavigation = defineService({
  name: '@contextnavigation',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The tree of the section that the content is in.',
  query: documentedQuery(Query),
  responses: { 200: { description: 'The tree.', schema: ContextNavigation } },
  run: async (context) => ok(await contextnavigation.expand(context, context.resolved)),
});
