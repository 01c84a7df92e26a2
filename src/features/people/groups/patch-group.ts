import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { updateGroup } from '../update-group.ts';
import { GroupBody } from './group-schemas.ts';

/** PATCH `@groups/<id>`: changes a group. */
export const patchGroup = defineService({
  name: '@groups',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Changes texts, roles and members of a group; of AuthenticatedUsers the roles only.',
  rest: ['{id}'],
  body: GroupBody,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such group.' },
  },
  async run({ kernel, caller, rest, body }) {
    await updateGroup(kernel, { caller, id: rest[0] ?? '', input: body });
    return noContent();
  },
});
