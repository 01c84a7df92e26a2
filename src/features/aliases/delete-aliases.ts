import { defineService } from '../../services/service.ts';
import { MANAGE_CONTEXT_ALIASES } from './alias-add.ts';
import { Failed, RemoveAliasesBody } from './alias-bodies.ts';
import { mayManageAliases } from './may-manage.ts';
import { removeItems } from './remove-items.ts';

/** DELETE `@aliases` of content: other addresses lead here no more. */
export const deleteAliases = defineService({
  name: '@aliases',
  method: 'DELETE',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Removes addresses that lead to the content.',
  body: RemoveAliasesBody,
  responses: {
    200: { description: 'Some do not lead here.', schema: Failed },
    204: { description: 'All are removed.' },
  },
  run: (context) => removeItems(context, context.resolved.object.oid),
});
