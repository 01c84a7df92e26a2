import { Type } from 'typebox';
import { has, reject, requirePermission } from '../../content/permissions.ts';
import { BadRequest, NotFound, ValidationFailed } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json-object.ts';
import { isMailAddress, readContactMail } from '../../mail/mail.ts';
import { defineService, noContent, type RequestContext, type ServiceResponse } from '../../services/service.ts';
import type { Kernel } from '../../site/kernel.ts';
import { queueWholeMail } from '../../storage/statements/mail-outbox.ts';
import { SET_OWN_PASSWORD, USE_MAIL_HOST } from './authority.ts';
import { NO_MAIL_HOST, siteMailHost } from './mailer.ts';
import { changeOwnPassword, requestPasswordReset, resetPassword } from './passwords.ts';
import { profilesById } from './statements/accounts.ts';
import { userPath } from './user-changes.ts';

/**
 * Queues the message `{name, from, subject, message}` for a user (Nick, `@email-notification`).
 * @throws ValidationFailed, NotFound, BadRequest when the site has no mail server or the user has no address.
 */
async function notifyUser(kernel: Kernel, { id, input }: { id: string; input: JsonObject }): Promise<void> {
  const [user] = await profilesById(kernel.db, [id]);
  if (!user) throw new NotFound(userPath(id));
  const read = readContactMail(input, { name: user.fullname, address: user.email });
  if ('problems' in read) throw new ValidationFailed(read.problems);
  if (!siteMailHost(kernel, await kernel.sites.current())) throw new BadRequest(NO_MAIL_HOST);
  if (!isMailAddress(user.email)) throw new BadRequest('The user has no e-mail address.');
  await queueWholeMail(kernel.db, read.mail);
}

/** Changes a password by the old one or by a mailed token, or has a token mailed. */
async function postPassword(context: RequestContext): Promise<ServiceResponse> {
  const { kernel, auth, site, caller, resolved, body, clientAddress } = context;
  const name = context.rest[0] ?? '';
  const { old_password: oldPassword, new_password: newPassword, reset_token: token } = body;
  if (oldPassword === undefined && newPassword === undefined && token === undefined) {
    await requestPasswordReset(kernel, { name, address: clientAddress });
  } else if (typeof newPassword === 'string' && typeof token === 'string' && oldPassword === undefined) {
    await resetPassword(kernel, { name, token, newPassword });
  } else if (typeof newPassword === 'string' && typeof oldPassword === 'string' && token === undefined) {
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
}

/** Mails a message to a user. */
async function postNotification({
  kernel,
  site,
  caller,
  resolved,
  rest,
  body,
}: RequestContext): Promise<ServiceResponse> {
  requirePermission(site, caller, resolved, USE_MAIL_HOST);
  await notifyUser(kernel, { id: rest[0] ?? '', input: body });
  return noContent();
}

/** POST `@users/<id>/reset-password` and `@users/<id>/@email-notification`. */
export const postUserAction = defineService({
  name: '@users',
  method: 'POST',
  context: 'site',
  permission: null,
  summary:
    'Changes a password by the old one or by a mailed token, or has a token mailed to whoever is meant by id, login name or e-mail address; or mails a message to a user.',
  rest: ['{id}/reset-password', '{id}/@email-notification'],
  body: Type.Object(
    {
      old_password: Type.Optional(Type.String({ description: 'The present password.' })),
      reset_token: Type.Optional(Type.String({ maxLength: 1000, description: 'The token of the mail.' })),
      new_password: Type.Optional(Type.String({ description: 'The new password.' })),
      name: Type.Optional(Type.Unknown({ description: 'Of a message: name of who writes.' })),
      from: Type.Optional(Type.Unknown({ description: 'Of a message: e-mail address of who writes.' })),
      subject: Type.Optional(Type.Unknown({ description: 'Of a message: its subject.' })),
      message: Type.Optional(Type.Unknown({ description: 'Of a message: its text.' })),
    },
    { additionalProperties: true },
  ),
  responses: {
    200: { description: 'Changed; or asked for, whether anybody has the name or not.' },
    204: { description: 'The message is on its way.' },
    400: { description: 'The new password is refused, or keys are missing.' },
    403: { description: 'The old password or the token is wrong, or it is the password of somebody else.' },
    404: { description: 'There is no such user to send a message to.' },
    429: { description: 'Too many requests.' },
  },
  async run(context) {
    const [id = '', action] = context.rest;
    if (action === 'reset-password') return postPassword(context);
    if (action === '@email-notification') return postNotification(context);
    throw new NotFound(`/@users/${id}/${action}`);
  },
});
