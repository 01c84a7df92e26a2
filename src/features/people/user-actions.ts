import { Type } from 'typebox';
import { defineService, has, mailing, noContent, permissions, reject } from '#core';
import { BadRequest, NotFound } from '#lib/errors';
import { CONTACT_MESSAGE, MESSAGE_BODY_LIMIT, MESSAGE_RESPONSES, sendMessage } from '../email/contact-message.ts';
import { SET_OWN_PASSWORD } from './authority.ts';
import { changeOwnPassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { profilesById } from './statements/accounts.ts';
import { userPath } from './user-changes.ts';

/** POST `@users/<id>/reset-password`: changes a password, or mails a token to set one. */
export const postPassword = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: null,
  summary:
    'Changes a password by the old one or by a mailed token; or has a token mailed to the users with this id, login name or e-mail address.',
  alone: 'Wrong passwords are counted, also when nothing else is done.',
  rest: ['{id}/reset-password'],
  body: Type.Object({
    old_password: Type.Optional(Type.String({ description: 'The present password.' })),
    reset_token: Type.Optional(Type.String({ maxLength: 1000, description: 'The token of the mail.' })),
    new_password: Type.Optional(Type.String({ description: 'The new password.' })),
  }),
  responses: {
    200: { description: 'Changed; or asked for, whether anybody has the name or not.' },
    400: { description: 'The new password is refused, or keys are missing.' },
    403: { description: 'The old password or the token is wrong, or it is the password of somebody else.' },
    429: { description: 'Too many requests.' },
  },
  async run({ kernel, auth, authentication, site, caller, resolved, params: { id: name }, body, clientAddress }) {
    const { old_password: oldPassword, new_password: newPassword, reset_token: token } = body;
    if (oldPassword === undefined && newPassword === undefined && token === undefined) {
      await requestPasswordReset(kernel, { name, address: clientAddress });
    } else if (newPassword !== undefined && token !== undefined && oldPassword === undefined) {
      await resetPassword(kernel, { name, token, newPassword });
    } else if (newPassword !== undefined && oldPassword !== undefined && token === undefined) {
      if (caller.id === null || !has(site, caller, resolved, SET_OWN_PASSWORD)) reject(caller);
      if (!authentication.inPerson) reject(caller, 'Log in to change your password: a token is not enough.');
      const change = { caller, id: name, oldPassword, newPassword, address: clientAddress };
      await changeOwnPassword({ kernel, auth }, change);
    } else {
      throw new BadRequest(
        'Send new_password with either reset_token or old_password, or nothing to get a mail.',
        'Invalid parameters',
      );
    }
    return { status: 200 };
  },
});

/** POST `@users/<id>/@email-notification`: mails a message to a user. */
export const postNotification = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: permissions.USE_MAIL_HOST,
  summary: 'Mails a message to a user.',
  rest: ['{id}/@email-notification'],
  body: Type.Object(CONTACT_MESSAGE),
  bodyLimit: MESSAGE_BODY_LIMIT,
  responses: { ...MESSAGE_RESPONSES, 404: { description: 'There is no such user to send a message to.' } },
  async run(context) {
    const { db, params, body } = context;
    const [user] = await profilesById(db, [params.id]);
    if (!user) throw new NotFound(userPath(params.id));
    if (!mailing.isAddress(user.email)) throw new BadRequest('The user has no e-mail address.');
    await sendMessage(context, body, { name: user.fullname, address: user.email });
    return noContent();
  },
});
