import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { navigation } from '../../serializer/components/navigation.ts';
import { documentedQuery } from '../openapi/documented.ts';
import { defineService, ok } from '../service.ts';

const Navigation = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({}, { additionalProperties: true })),
});

/** GET `@navigation`: the tree below the navigation root. */
export const getNavigation = defineService({
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
