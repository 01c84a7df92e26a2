import { Type } from 'typebox';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { removeUser } from '../remove-user.ts';

/** DELETE `@users/<id>`: removes a user. */
export const deleteUser = defineService({
  name: '@users',
  method: 'DELETE',
  context: 'site',
  permission: MANAGE_USERS,
  summary: 'Removes a user with its memberships and local roles. Content that it made stays.',
  rest: ['{id}'],
  query: Type.Object({
    delete_localroles: Type.Optional(Type.String({ description: '0 leaves the local roles on content.' })),
  }),
  responses: {
    204: { description: 'Removed.' },
    400: { description: 'It is the last Manager.' },
    404: { description: 'There is no such user.' },
  },
  async run({ kernel, caller, rest, searchParams }) {
    await removeUser(kernel, { caller, id: rest[0] ?? '', localRoles: searchParams.get('delete_localroles') !== '0' });
    return noContent();
  },
});
