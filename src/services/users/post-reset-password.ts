import { Type } from 'typebox';
import { has } from '../../content/permissions.ts';
import { NotFound } from '../../lib/errors.ts';
import { changeOwnPassword } from '../../people/change-own-password.ts';
import { SET_OWN_PASSWORD } from '../../people/permissions.ts';
import { defineService } from '../service.ts';

/** POST `@users/<id>/reset-password`: a new password for the old one. */
export const postResetPassword = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: SET_OWN_PASSWORD,
  checkPermission: ({ site, caller, located }) => caller.id !== null && has(site, caller, located, SET_OWN_PASSWORD),
  summary: "Changes one's own password. Tokens from before are worth nothing then.",
  rest: ['{id}/reset-password'],
  body: Type.Object({
    old_password: Type.String({ description: 'The present password.' }),
    new_password: Type.String({ description: 'The new password, of 8 characters or more.' }),
  }),
  responses: {
    200: { description: 'Changed.' },
    400: { description: 'The new password is too short.' },
    403: { description: 'The old password is wrong, or it is the password of somebody else.' },
  },
  async run({ auth, caller, rest, body, clientAddress }) {
    const [id = '', action] = rest;
    if (action !== 'reset-password') throw new NotFound(`/@users/${rest.join('/')}`);
    const { old_password: oldPassword, new_password: newPassword } = body;
    await changeOwnPassword(auth, {
      caller,
      id,
      oldPassword: String(oldPassword),
      newPassword: String(newPassword),
      address: clientAddress,
    });
    return { status: 200 };
  },
});
