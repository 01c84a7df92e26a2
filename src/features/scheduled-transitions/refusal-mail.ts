import {
  accounts,
  has,
  type Kernel,
  locate,
  type MailKind,
  mailing,
  panelSettings,
  panels,
  type Queryable,
  type queue,
  siteAddress,
  siteSettings,
  VIEW,
  workflowOf,
} from '#core';
import { isJsonObject } from '#lib/json-object';
import { profilesById } from '../people/statements/accounts.ts';
import { findRefused } from './statements.ts';

const REFUSAL_MAIL = 'scheduled-transition-refused';

/** Queues the mail to the author of a refused transition. */
export const queueRefusalMail = (tx: Queryable, scheduled: string): Promise<void> =>
  mailing.queueKind(tx, REFUSAL_MAIL, { scheduled });

/**
 * The mail about a refused transition, in the language of its author; null when the author cannot get mail. It names the content only to those who
 * may view it when the mail is sent.
 */
async function composeRefusal(kernel: Kernel, { data }: queue.Item): Promise<mailing.Mail | null> {
  const { db } = kernel;
  const id = isJsonObject(data) && typeof data.scheduled === 'string' ? data.scheduled : '';
  const refused = await findRefused(db, id);
  if (!refused || refused.actor === null) return null;
  const [user] = await profilesById(db, [refused.actor]);
  const account = await accounts.load(db, refused.actor);
  if (!user || !account || !mailing.isAddress(user.email)) return null;
  const { site, resolved } = await locate(kernel, refused.path);
  const language = mailing.languageOf(site, user.properties.language);
  const say = mailing.wordsIn(site, language);
  const zone = user.properties.timezone;
  const timeZone = siteSettings.timeZone(site, typeof zone === 'string' ? zone : undefined);
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone }).format(
    refused.at,
  );
  const seen = resolved && has(site, account.caller, resolved, VIEW) ? resolved.object : undefined;
  const known = seen && workflowOf(site, seen.type)?.transitions[refused.transition]?.title;
  const transition = known === undefined ? refused.transition : say(known);
  const siteTitle = panelSettings(site, panels.site).site_title;
  const what = seen
    ? say(`You have asked for the transition "${transition}" of "${seen.title}" at this time: ${time}.`)
    : say(`You have asked for the transition "${transition}" of content at this time: ${time}.`);
  return {
    to: [{ name: user.fullname, address: user.email }],
    subject: say(`A scheduled transition was refused at ${siteTitle}`),
    text: `${what}

${say('It was not made, for this reason:')} ${say(refused.reason)}
${seen ? `\n${siteAddress.ofContent(kernel, site, seen.path)}\n` : ''}`,
  };
}

/** The mails about refused transitions. */
export const refusalMails: readonly MailKind[] = [{ kind: REFUSAL_MAIL, compose: composeRefusal }];
