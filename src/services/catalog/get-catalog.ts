import { VIEW } from '../../security/permissions.ts';
import { catalog } from '../../serializer/components/catalog.ts';
import { defineService, ok } from '../service.ts';

/** GET `@catalog`: the columns that listings can show of content. */
export const getCatalog = defineService({
  name: '@catalog',
  method: 'GET',
  context: 'content',
  permission: VIEW,
  summary: 'The columns that listings can show of the content.',
  responses: { 200: { description: 'The columns.' } },
  run: async (context) => ok(await catalog.expand(context, context.resolved)),
});
