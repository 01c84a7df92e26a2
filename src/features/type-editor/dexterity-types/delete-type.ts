import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { removeType } from '../type-panel.ts';

/** DELETE `@controlpanels/dexterity-types/<type>`: removes a content type. */
export const deleteType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Removes a content type of which there is no content.',
  rest: ['dexterity-types/{type}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'There is content of it, or the site or an add-on needs it.' },
    404: { description: 'There is no such type.' },
  },
  async run({ kernel, caller, rest: [, id = ''] }) {
    await removeType(kernel, { caller, id });
    return noContent();
  },
});
