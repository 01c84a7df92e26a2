import { Type } from 'typebox';
import { has, reject } from '../../content/permissions.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { BadRequest, NotFound, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { isMailAddress, parseContactMail } from '../../mail/mail.ts';
import { AnyJson } from '../../services/schemas.ts';
import { defineService, noContent } from '../../services/service.ts';
import { queueWholeMail } from '../../storage/statements/mail-outbox.ts';
import { SET_OWN_PASSWORD, USE_MAIL_HOST } from './authority.ts';
import { NO_MAIL_HOST, siteMailHost } from './mailer.ts';
import { changeOwnPassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { profilesById } from './statements/accounts.ts';
import { userPath } from './user-changes.ts';

/** POST `@users/<id>/reset-password`: changes a password, or has a token for it mailed. */
export const postPassword = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: null,
  summary:
    'Changes a password by the old one or by a mailed token; or has a token mailed to the users with this id, login name or e-mail address.',
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
  async run({ kernel, auth, site, caller, resolved, params: { id: name }, body, clientAddress }) {
    const { old_password: oldPassword, new_password: newPassword, reset_token: token } = body;
    if (oldPassword === undefined && newPassword === undefined && token === undefined) {
      await requestPasswordReset(kernel, { name, address: clientAddress });
    } else if (newPassword !== undefined && token !== undefined && oldPassword === undefined) {
      await resetPassword(kernel, { name, token, newPassword });
    } else if (newPassword !== undefined && oldPassword !== undefined && token === undefined) {
      if (caller.id === null || !has(site, caller, resolved, SET_OWN_PASSWORD)) reject(caller);
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

/**
 * Queues the message `{name, from, subject, message}` for a user (Nick, `@email-notification`).
 * @throws ValidationFailed, NotFound, BadRequest when the site has no mail server or the user has no address.
 */
async function notifyUser(kernel: Kernel, { id, input }: { id: string; input: JsonObject }): Promise<void> {
  const [user] = await profilesById(kernel.db, [id]);
  if (!user) throw new NotFound(userPath(id));
  const contact = parseContactMail(input, { name: user.fullname, address: user.email });
  if ('problems' in contact) throw new ValidationFailed(contact.problems);
  if (!siteMailHost(kernel, await kernel.sites.current())) throw new BadRequest(NO_MAIL_HOST);
  if (!isMailAddress(user.email)) throw new BadRequest('The user has no e-mail address.');
  await queueWholeMail(kernel.db, contact.mail);
}

/** POST `@users/<id>/@email-notification`: mails a message to a user. */
export const postNotification = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: USE_MAIL_HOST,
  summary: 'Mails a message to a user.',
  rest: ['{id}/@email-notification'],
  body: Type.Object({
    name: Type.Optional(AnyJson({ description: 'Name of the sender.' })),
    from: Type.Optional(AnyJson({ description: 'E-mail address of the sender. Required.' })),
    subject: Type.Optional(AnyJson({ description: 'The subject.' })),
    message: Type.Optional(AnyJson({ description: 'The text. Required.' })),
  }),
  responses: {
    204: { description: 'The message is on its way.' },
    400: { description: 'The message has no sender or no text, the site no mail server, or the user no address.' },
    404: { description: 'There is no such user to send a message to.' },
  },
  async run({ kernel, params, body }) {
    await notifyUser(kernel, { id: params.id, input: body });
    return noContent();
  },
});
