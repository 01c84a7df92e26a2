import { type contentRules, mailing, message } from '#core';
import { BadRequest } from '#lib/errors';
import { textOf } from '#lib/json-object';
import { area, elementSchema, line } from '../element-schema.ts';
import { insertNotification } from '../statements/notifications.ts';
import { findPerson } from '../statements/people.ts';

/** Maximum number of mails that one action sends. */
const MAX_RECIPIENTS = 100;

/** A placeholder for addresses in a list of addresses. */
const PLACE = /^\$\{[a-z_]+\}$/;

const listed = (addresses: string): string[] => addresses.split(/[,;\n]/).flatMap((address) => address.trim() || []);

/** The problem with the addresses of an action; undefined without one. */
const addressProblem = (addresses: string): string | undefined => {
  const wrong = listed(addresses).find((address) => !mailing.isAddress(address) && !PLACE.test(address));
  return wrong === undefined ? undefined : `"${wrong.slice(0, 100)}" is no e-mail address.`;
};

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The addresses that get the mail. Throws BadRequest for no address, and for too many. */
async function recipientsOf({ tx, actor, values, substitute }: contentRules.ActionContext): Promise<string[]> {
  const found = listed(await substitute(textOf(values.recipients))).filter(mailing.isAddress);
  const own = actor.id !== null && values.exclude_actor === true ? (await findPerson(tx, actor.id))?.email : undefined;
  const all = found.filter((one, at) => found.findIndex((other) => isSame(one, other)) === at);
  if (all.length === 0) throw new BadRequest('There is nobody whom the mail could be sent to.');
  if (all.length > MAX_RECIPIENTS) throw new BadRequest(`A mail goes to ${MAX_RECIPIENTS} addresses at most.`);
  return all.filter((address) => own === undefined || !isSame(address, own));
}

const sendEmail: contentRules.Action = {
  name: 'send_email',
  aliases: ['plone.actions.Mail'],
  title: 'Send email',
  description: 'Send an email on the triggering object',
  schema: elementSchema(
    {
      subject: line('Subject', 'Subject of the message'),
      source: line(
        'Email source',
        'The email address that sends the email. If no email is provided here, it will use the portal from address.',
        { maxLength: 254 },
      ),
      recipients: line(
        'Email recipients',
        'The email where you want to send this message. To send it to different email addresses, just separate them with ,',
        { maxLength: 5000 },
      ),
      exclude_actor: {
        title: 'Exclude actor from recipients',
        description: 'Do not send the email to the user that did the action.',
        type: 'boolean',
        factory: 'Yes/No',
        default: false,
      },
      message: area('Message', 'The message that you want to mail.'),
    },
    ['subject', 'recipients', 'message'],
  ),
  check({ recipients, source }) {
    const problems = [
      { field: 'recipients', message: addressProblem(textOf(recipients)) },
      { field: 'source', message: addressProblem(textOf(source)) },
    ];
    return problems.flatMap(({ field, message }) => (message === undefined ? [] : [{ field, message }]));
  },
  summary: ({ recipients }) => message(`Email report to ${textOf(recipients)}`),
  async run(context) {
    const { kernel, tx, site, values, substitute } = context;
    const host = mailing.hostOf(kernel, site);
    if (!host) throw new BadRequest('The site has no mail server.');
    const source = (await substitute(textOf(values.source))).trim();
    if (source !== '' && !mailing.isAddress(source))
      throw new BadRequest('The address that the mail is to come from is no e-mail address.');
    const subject = await substitute(textOf(values.subject));
    const text = await substitute(textOf(values.message));
    // Each address gets a mail of its own, so that recipients do not see each other.
    for (const address of await recipientsOf(context))
      await mailing.queue(tx, {
        to: [{ name: '', address }],
        ...(source === '' ? {} : { from: { name: host.from.name, address: source } }),
        subject,
        text,
      });
  },
};

const KINDS: [string, string][] = [
  ['info', 'Information'],
  ['warning', 'Warning'],
  ['error', 'Error'],
];

const notify: contentRules.Action = {
  name: 'notify',
  aliases: ['plone.actions.Notify'],
  title: 'Notify user',
  description: 'Leave a message for the user who did the action',
  schema: elementSchema(
    {
      message: line('Message', 'The message to send to the user.'),
      message_type: {
        title: 'Message type',
        description: 'Select the type of message to display.',
        type: 'string',
        factory: 'Choice',
        choices: KINDS,
        default: 'info',
      },
    },
    ['message', 'message_type'],
  ),
  summary: ({ message: text }) => message(`Notify with message ${textOf(text)}`),
  async run({ tx, actor, content, values, substitute }) {
    if (actor.id === null) throw new BadRequest('Nobody is logged in whom the message could be left for.');
    const message = await substitute(textOf(values.message));
    const kind = textOf(values.message_type);
    await insertNotification(tx, actor.id, { kind, message, path: content.object.path });
  },
};

const logger: contentRules.Action = {
  name: 'logger',
  aliases: ['plone.actions.Logger'],
  title: 'Logger',
  description: 'Log a particular event',
  schema: elementSchema(
    { message: line('Message', '&e = the triggering event, &c = the context, &u = the user', { default: '' }) },
    ['message'],
  ),
  // Plone's loggers and levels have no effect: the server has one log, and its entries name the rule and the event.
  ignored: ['targetLogger', 'loggingLevel'],
  summary: ({ message: text }) => message(`Log message ${textOf(text)}`),
  async run({ kernel, tx, rule, event, content, actor, values, substitute }) {
    const { path } = content.object;
    const parts: Record<string, string> = { '&e': event.title, '&c': path, '&u': actor.id ?? 'anonymous' };
    const message = (await substitute(textOf(values.message))).replace(/&[ecu]/g, (part) => parts[part] ?? part);
    tx.afterCommit(() => kernel.log.info({ rule: rule.id, event: event.name, path, user: actor.id }, message));
  },
};

/** Actions that send messages. */
export const messageActions: readonly contentRules.Action[] = [logger, sendEmail, notify];
