import { MANAGE_PORTAL } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { updateType } from '../type-panel.ts';
import { ChangedType } from './panel-schema.ts';

/** PATCH `@controlpanels/dexterity-types/<type>`: changes a content type. */
export const patchType = defineService({
  name: '@controlpanels',
  tag: 'dexterity-types',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_PORTAL,
  summary: 'Changes title, description and contained types of a content type, and switches behaviors on and off.',
  rest: ['dexterity-types/{type}'],
  body: ChangedType,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each setting, or what still needs a behavior.' },
    404: { description: 'There is no such type.' },
  },
  async run({ kernel, caller, body: input, rest: [, id = ''] }) {
    await updateType(kernel, { caller, input, id });
    return noContent();
  },
});
