import { Type } from 'typebox';
import { VIEW } from '../../security/permissions.ts';
import { breadcrumbs } from '../../serializer/components/ancestors.ts';
import { defineService, ok } from '../service.ts';

const Breadcrumbs = Type.Object({
  '@id': Type.String({ format: 'uri' }),
  items: Type.Array(Type.Object({ '@id': Type.String({ format: 'uri' }), title: Type.String() })),
  root: Type.String({ description: 'Path of the navigation root.' }),
});

/** GET `@breadcrumbs`: the way from the navigation root to content. */
export const getBreadcrumbs = defineService({
  name: '@breadcrumbs',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The way from the navigation root to the content.',
  responses: { 200: { description: 'The way, from the top.', schema: Breadcrumbs } },
  run: async (context) => ok(await breadcrumbs.expand(context, context.resolved)),
});
