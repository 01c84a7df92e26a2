import { defineService } from '../../services/service.ts';
import { MANAGE_PORTAL_ALIASES } from './alias-add.ts';
import { Failed, RemoveAliasesBody } from './alias-bodies.ts';
import { removeItems } from './remove-items.ts';

/** DELETE `@aliases` of the site: addresses lead nowhere any more. */
export const deleteSiteAliases = defineService({
  name: '@aliases',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL_ALIASES,
  summary: 'Removes addresses that lead to any content or elsewhere.',
  body: RemoveAliasesBody,
  responses: {
    200: { description: 'Some are no aliases.', schema: Failed },
    204: { description: 'All are removed.' },
  },
  run: (context) => removeItems(context, null),
});
