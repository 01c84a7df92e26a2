import { Type } from 'typebox';
import { VIEW } from '../security/permissions.ts';
import { offeredActions } from '../serializer/components/actions.ts';
import { breadcrumbs, inherit, navroot } from '../serializer/components/ancestors.ts';
import { catalog } from '../serializer/components/catalog.ts';
import { contextnavigation } from '../serializer/components/context-navigation.ts';
import { navigation } from '../serializer/components/navigation.ts';
import { documentedQuery } from './openapi/schemas.ts';
import { defineService, ok, type Service } from './service.ts';

const Action = Type.Object({
  id: Type.String(),
  title: Type.String(),
  icon: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
});

/** The categories that a query names: repeated, or under Zope's name `categories:list`. None means all. */
const categoriesIn = (query: URLSearchParams): Set<string> =>
  new Set([...query.getAll('categories'), ...query.getAll('categories:list')]);

/** GET `@actions`: the entries of menus for the caller. */
const getActions = defineService({
  name: '@actions',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The entries of menus that the caller is offered on the content, by category.',
  query: documentedQuery(
    Type.Object({
      categories: Type.Optional(Type.String({ description: 'A category; may be repeated. All unless given.' })),
    }),
  ),
  responses: {
    200: { description: 'The entries by category.', schema: Type.Record(Type.String(), Type.Array(Action)) },
  },
  async run(context) {
    const actions = offeredActions(context, context.resolved);
    const categories = categoriesIn(context.searchParams);
    if (categories.size === 0) return ok(actions);
    return ok(Object.fromEntries(Object.entries(actions).filter(([category]) => categories.has(category))));
  },
});

const Breadcrumbs = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() })),
  root: Type.String({ description: 'Path of the navigation root.' }),
});

/** GET `@breadcrumbs`: the way from the navigation root to content. */
const getBreadcrumbs = defineService({
  name: '@breadcrumbs',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The way from the navigation root to the content.',
  responses: { 200: { description: 'The way, from the top.', schema: Breadcrumbs } },
  run: async (context) => ok(await breadcrumbs.expand(context, context.resolved)),
});

/** GET `@catalog`: the columns that listings can show of content. */
const getCatalog = defineService({
  name: '@catalog',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The columns that listings can show of the content.',
  responses: { 200: { description: 'The columns.' } },
  run: async (context) => ok(await catalog.expand(context, context.resolved)),
});

/** The name of a parameter of `@contextnavigation`. */
const option = (name: string) => `expand.contextnavigation.${name}`;

const ContextNavigationQuery = Type.Object({
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
const getContextnavigation = defineService({
  name: '@contextnavigation',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The tree of the section that the content is in.',
  query: documentedQuery(ContextNavigationQuery),
  responses: { 200: { description: 'The tree.', schema: ContextNavigation } },
  run: async (context) => ok(await contextnavigation.expand(context, context.resolved)),
});

/** GET `@inherit`: values of behaviors from the nearest container that has them. */
const getInherit = defineService({
  name: '@inherit',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'Values of behaviors from the nearest object at or above the content that has them.',
  query: documentedQuery(
    Type.Object({
      'expand.inherit.behaviors': Type.Optional(
        Type.String({ description: 'Ids or other names of behaviors, separated by commas or repeated.' }),
      ),
    }),
  ),
  responses: { 200: { description: 'For each behavior: where it comes from, and its fields.' } },
  run: async (context) => ok(await inherit.expand(context, context.resolved)),
});

const Navigation = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({}, { additionalProperties: true })),
});

/** GET `@navigation`: the tree below the navigation root. */
const getNavigation = defineService({
  name: '@navigation',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The tree of content below the navigation root, as deep as expand.navigation.depth says.',
  query: documentedQuery(
    Type.Object({
      'expand.navigation.depth': Type.Optional(
        Type.Integer({ description: 'Levels of the tree; 10 at most.', minimum: 1, default: 1 }),
      ),
    }),
  ),
  responses: { 200: { description: 'The tree.', schema: Navigation } },
  run: async (context) => ok(await navigation.expand(context, context.resolved)),
});

/** GET `@navroot`: the navigation root of content. */
const getNavroot = defineService({
  name: '@navroot',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The navigation root of the content, without its children.',
  responses: { 200: { description: 'The navigation root.' } },
  run: async (context) => ok(await navroot.expand(context, context.resolved)),
});

/** The components that have addresses of their own. */
export const componentServices: Service[] = [
  getActions,
  getBreadcrumbs,
  getCatalog,
  getContextnavigation,
  getInherit,
  getNavigation,
  getNavroot,
];
