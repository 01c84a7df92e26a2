import { Type } from 'typebox';
import {
  contentPath,
  defineService,
  has,
  mailing,
  noContent,
  panelSettings,
  panels,
  permissions,
  type RequestContext,
  siteAddress,
  VIEW,
} from '#core';
import { BadRequest } from '#lib/errors';
import { Address, CONTACT_MESSAGE, MESSAGE_BODY_LIMIT, MESSAGE_RESPONSES, sendMessage } from './contact-message.ts';

/** The address of the page that a message was sent from; undefined for the site itself. */
const pageOf = ({ kernel, site, resolved }: RequestContext): string | undefined =>
  resolved.object.path === contentPath.ROOT ? undefined : siteAddress.ofContent(kernel, site, resolved.object.path);

/** POST `@email-send`: mails a message to any address (Nick, plone.restapi). */
export const postEmail = defineService({
  name: '@email-send',
  method: 'POST',
  context: 'content',
  permission: permissions.USE_MAIL_HOST,
  checkPermission: ({ site, caller, resolved }) =>
    [VIEW, permissions.USE_MAIL_HOST].every((permission) => has(site, caller, resolved, permission)),
  summary: 'Mails a message to an address.',
  body: Type.Object(
    { to: Address({ description: 'The address that the message goes to.' }), ...CONTACT_MESSAGE },
    { examples: [{ name: 'John Doe', from: 'john@example.org', to: 'jane@example.org', message: 'Hello!' }] },
  ),
  bodyLimit: MESSAGE_BODY_LIMIT,
  responses: MESSAGE_RESPONSES,
  async run(context) {
    await sendMessage(context, context.body, { name: '', address: context.body.to }, pageOf(context));
    return noContent();
  },
});

/** POST `@email-notification`: mails a message to the site: the contact form (Nick, plone.restapi, Volto). */
export const postNotification = defineService({
  name: '@email-notification',
  method: 'POST',
  context: 'content',
  permission: VIEW,
  summary: 'Mails a message to the address of the site.',
  tag: 'email-send',
  body: Type.Object(CONTACT_MESSAGE, { examples: [{ name: 'John Doe', from: 'john@example.org', message: 'Hello!' }] }),
  bodyLimit: MESSAGE_BODY_LIMIT,
  responses: MESSAGE_RESPONSES,
  async run(context) {
    const { kernel, site, body } = context;
    const { email_from_name: name, email_from_address: stored } = panelSettings(site, panels.mail);
    const address = stored.trim();
    if (!mailing.hostOf(kernel, site)) throw new BadRequest(mailing.NO_HOST);
    if (!mailing.isAddress(address))
      throw new BadRequest('The site has no e-mail address. A Manager sets it in the control panel "Mail".');
    await sendMessage(context, body, { name, address }, pageOf(context));
    return noContent();
  },
});
