import { VIEW } from '../../security/permissions.ts';
import { navroot } from '../../serializer/components/ancestors.ts';
import { defineService, ok } from '../service.ts';

/** GET `@navroot`: the navigation root of content. */
export const getNavroot = defineService({
  name: '@navroot',
  method: 'GET',
  cacheable: true,
  context: 'content',
  permission: VIEW,
  summary: 'The navigation root of the content, without its children.',
  responses: { 200: { description: 'The navigation root.' } },
  run: async (context) => ok(await navroot.expand(context, context.resolved)),
});
