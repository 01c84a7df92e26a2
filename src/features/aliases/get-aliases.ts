import { defineService, ok } from '../../services/service.ts';
import { MANAGE_CONTEXT_ALIASES } from './alias-add.ts';
import { Aliases, AliasesQuery, aliasesJson } from './alias-list.ts';
import { mayManageAliases } from './may-manage.ts';

/** GET `@aliases` of content: the addresses that lead to it. */
export const getAliases = defineService({
  name: '@aliases',
  method: 'GET',
  context: 'content',
  permission: MANAGE_CONTEXT_ALIASES,
  checkPermission: mayManageAliases,
  summary: 'Lists other addresses that lead to the content.',
  query: AliasesQuery,
  responses: { 200: { description: 'The aliases by path.', schema: Aliases } },
  run: async (context) => ok(await aliasesJson(context, context.resolved.object.oid)),
});
