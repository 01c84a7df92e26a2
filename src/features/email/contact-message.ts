import { Type } from 'typebox';
import {
  mailing,
  panelSettings,
  panels,
  type RequestContext,
  requestLimits,
  requests,
  type Site,
  schemas,
  type Transaction,
} from '#core';
import { BadRequest, TooManyRequests } from '#lib/errors';
import { HOUR_MS } from '#lib/time/milliseconds';

/** Longest name, subject and message that people send, in characters. */
const MAX_NAME = 200;
const MAX_SUBJECT = 250;
const MAX_MESSAGE = 100_000;
/** Longest address (RFC 5321, 4.5.3.1.3). */
const MAX_ADDRESS = 254;

/** Largest body of a message in bytes: the longest one with every character escaped. */
export const MESSAGE_BODY_LIMIT = 1024 * 1024;

/** An e-mail address that a client gives; white space around it does not count. */
export const Address = ({ description }: { description: string }) =>
  Type.Decode(
    Type.Refine(
      Type.Refine(
        schemas.Text({ description, maxLength: MAX_ADDRESS, message: { required: 'Is required.' } }),
        (text) => text.trim() !== '',
        () => 'Is required.',
      ),
      (text) => text.trim() === '' || mailing.isPlausibleAddress(text.trim()),
      () => 'Is not an e-mail address.',
    ),
    (text) => text.trim(),
  );

/** The members that a message of one person to another has in bodies (Nick, `@email-send`). */
export const CONTACT_MESSAGE = {
  name: Type.Optional(schemas.Nullable(schemas.Text({ description: 'Name of the sender.', maxLength: MAX_NAME }))),
  from: Address({ description: 'E-mail address of the sender, to which answers go.' }),
  subject: Type.Optional(schemas.Nullable(schemas.Text({ description: 'The subject.', maxLength: MAX_SUBJECT }))),
  message: Type.Refine(
    schemas.Text({ description: 'The text.', maxLength: MAX_MESSAGE, message: { required: 'Is required.' } }),
    (text) => text.trim() !== '',
    () => 'Is required.',
  ),
};

/** The responses of services that send such a message. */
export const MESSAGE_RESPONSES = {
  204: { description: 'The message is on its way.' },
  400: { description: 'The message has no sender or no text, or the site has no mail server.' },
  429: { description: 'The sender has sent too many messages within an hour.' },
};

/** A message of one person to another. */
export type ContactMessage = {
  name?: string | null | undefined;
  from: string;
  subject?: string | null | undefined;
  message: string;
};

/**
 * The mail that a message makes: from the site, with replies to its author, who is named below the text in the language of the site. `page` is the
 * address of the page that the message is about.
 */
function contactMail(
  site: Site,
  { name, from, subject, message }: ContactMessage,
  to: mailing.Mail['to'][number],
  page?: string,
): mailing.Mail {
  const say = mailing.wordsIn(site);
  const title = panelSettings(site, panels.site).site_title;
  const own = name?.trim() ?? '';
  const sender = own === '' ? from : `${own} <${from}>`;
  const about = page === undefined ? '' : `\n${page}`;
  return {
    to: [to],
    replyTo: { name: own, address: from },
    subject: subject?.trim() || say(`A message by way of ${title}`),
    text: `${message.trim()}\n\n-- \n${say(`${sender} has written this message on ${title}.`)}${about}\n`,
  };
}

/** Maximum number of messages in an hour from one network of visitors, and from one user. */
const MAX_OF_NETWORK = 30;
const MAX_OF_USER = 200;

/**
 * Counts a message of the caller: a user by name, a visitor by network. The count is exact over all processes; others wait until the end of the
 * transaction. Throws TooManyRequests.
 */
async function countMessage(
  tx: Transaction,
  { caller, clientAddress }: Pick<RequestContext, 'caller' | 'clientAddress'>,
) {
  const at = new Date();
  const [sender, limit] =
    caller.id === null ? [requests.networkOf(clientAddress), MAX_OF_NETWORK] : [`user:${caller.id}`, MAX_OF_USER];
  const request = { kind: 'message', sender, at, since: new Date(at.getTime() - HOUR_MS) };
  if (!(await requestLimits.record(tx, request, limit)))
    throw new TooManyRequests('You have sent too many messages. Try again in an hour.', HOUR_MS / 1000);
}

/**
 * Queues a message of the caller to somebody; it is sent after the commit. Throws BadRequest for a site without a mail
 * server and TooManyRequests for a caller who has sent too many.
 */
export async function sendMessage(
  context: Pick<RequestContext, 'kernel' | 'site' | 'caller' | 'clientAddress' | 'resolved'>,
  message: ContactMessage,
  to: mailing.Mail['to'][number],
  page?: string,
): Promise<void> {
  const { kernel, site, caller } = context;
  if (!mailing.hostOf(kernel, site)) throw new BadRequest(mailing.NO_HOST);
  const mail = contactMail(site, message, to, page);
  await kernel.db.transaction(async (tx) => {
    await countMessage(tx, context);
    await mailing.queue(tx, mail);
    const sent = { oid: context.resolved.object.oid, part: 'mail', change: 'sent', name: '' };
    await kernel.events.emit('message.sent', sent, { tx, caller });
  });
}
