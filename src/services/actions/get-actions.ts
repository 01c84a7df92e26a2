import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { offeredActions } from '../../serializer/components/actions.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

const Action = Type.Object({
  id: Type.String(),
  title: Type.String(),
  icon: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
});

/** Names of categories in a query: repeated, or under Zope's name `categories:list`. None for all. */
const wanted = (query: URLSearchParams): Set<string> =>
  new Set([...query.getAll('categories'), ...query.getAll('categories:list')]);

/** GET `@actions`: the entries of menus for the caller. */
export const getActions = defineService({
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
    const categories = wanted(context.searchParams);
    if (categories.size === 0) return ok(actions);
    return ok(Object.fromEntries(Object.entries(actions).filter(([category]) => categories.has(category))));
  },
});
