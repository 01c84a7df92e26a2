import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { removeGroup } from '../remove-group.ts';

/** DELETE `@groups/<id>`: removes a group. */
export const deleteGroup = defineService({
  name: '@groups',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Removes a group with its local roles. Its members stay.',
  rest: ['{id}'],
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'It makes the last Manager one.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, rest }) {
    await removeGroup(kernel, { caller, id: rest[0] ?? '' });
    return noContent();
  },
});
