import { has } from '../../../content/permissions.ts';
import { MANAGE_USERS } from '../../../security/permissions.ts';
import { defineService, noContent } from '../../../services/service.ts';
import { SET_OWN_PROPERTIES } from '../permissions.ts';
import { updateUser } from '../update-user.ts';
import { MAX_PORTRAIT_BODY } from './max-portrait-body.ts';
import { UserBody } from './user-schemas.ts';

/** PATCH `@users/<id>`: changes a user. */
export const patchUser = defineService({
  name: '@users',
  method: 'PATCH',
  context: 'site',
  permission: MANAGE_USERS,
  checkPermission: ({ site, caller, resolved, rest }) =>
    has(site, caller, resolved, MANAGE_USERS) ||
    (caller.id === rest[0] && has(site, caller, resolved, SET_OWN_PROPERTIES)),
  summary: "Changes a user: one's own properties, or as a manager anything of others.",
  rest: ['{id}'],
  body: UserBody,
  bodyLimit: MAX_PORTRAIT_BODY,
  responses: {
    204: { description: 'Changed.' },
    400: { description: 'A problem for each field, in `error.errors`.' },
    404: { description: 'There is no such user.' },
  },
  async run({ kernel, caller, rest, body }) {
    await updateUser(kernel, { caller, id: rest[0] ?? '', input: body });
    return noContent();
  },
});
