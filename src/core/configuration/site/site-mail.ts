import { type MailHost, mailHostOf } from '../../queue/mail/mail-host.ts';
import type { Config } from '../environment/config.ts';
import { mailPanel } from '../panels/general.ts';
import { languagePanel } from '../panels/languages.ts';
import { panelSettings } from '../panels/panel.ts';
import type { Site } from './site.ts';

/** The message for requests that need a mail server on a site without one (Plone's words). */
export const NO_MAIL_HOST = 'MailHost is not configured.';

/** The mail server of the site; undefined for a site without one. */
export const siteMailHost = ({ config }: { config: Config }, site: Site): MailHost | undefined =>
  mailHostOf(config.smtpUrl, panelSettings(site, mailPanel));

/** The language of mails: the language that a user has `chosen` if the site has it, else the language of the site. */
export function mailLanguage(site: Site, chosen?: unknown): string {
  const { available_languages: available, default_language: own } = panelSettings(site, languagePanel);
  return typeof chosen === 'string' && available.includes(chosen) ? chosen : own;
}

/** Returns a function that translates English texts of mails into a language; the language of the site unless given. */
export const mailWords = (site: Site, language = mailLanguage(site)): ((text: string) => string) => {
  return (text) => site.registries.messages.translate(text, language);
};
