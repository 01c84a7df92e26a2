import {
  type Kernel,
  mailing,
  panelSettings,
  panels,
  type Queryable,
  type Site,
  siteAddress,
  siteSettings,
} from '#core';
import { hashToken } from '#lib/text/random-token';
import { HOUR_MS } from '#lib/time/milliseconds';
import type { Profile } from './statements/accounts.ts';

/** Kinds of entries in the outbox: a request whose accounts have to be looked up, and the mail to one account. */
export const RESET_REQUEST = 'password-reset-request';
export const PASSWORD_MAIL = 'password-mail';

/** The reason why an account gets a link to set its password. */
export type PasswordMailReason = 'reset' | 'welcome';

/** The lifetime of a link in milliseconds: `reset_token_hours` of the security settings. */
export const resetLifetime = (site: Site): number => HOUR_MS * panelSettings(site, panels.security).reset_token_hours;

/** Returns the hash under which the token of a link is stored. */
export const hashResetToken = (token: string): string => hashToken(token, 'hex');

/** Queues the mail with a link to set a password; it is sent after the commit. The token is made when the mail is sent. */
export const queuePasswordMail = (db: Queryable, account: string, reason: PasswordMailReason): Promise<void> =>
  mailing.queueKind(db, PASSWORD_MAIL, { account, reason });

/** Queues a request for a new password, whose accounts are looked up in the background. */
export const queueResetRequest = (db: Queryable, name: string): Promise<void> =>
  mailing.queueKind(db, RESET_REQUEST, { name }, { lifetimeMs: HOUR_MS });

/** The expiry of a link in words, in the language of a user, and in the time zone of the user or else of the site. */
function endInWords(
  site: Site,
  expires: Date,
  { language, timezone }: { language: string; timezone: unknown },
): string {
  const timeZone = siteSettings.timeZone(site, typeof timezone === 'string' ? timezone : undefined);
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }).format(expires);
}

/** The mail with the link, in the language of its user if the site has this language. */
export function passwordMail(
  kernel: Pick<Kernel, 'config'>,
  site: Site,
  {
    user,
    token,
    reason,
    expires,
  }: {
    user: Pick<Profile, 'id' | 'login' | 'fullname' | 'email' | 'properties'>;
    token: string;
    reason: PasswordMailReason;
    expires: Date;
  },
): mailing.Mail {
  const title = panelSettings(site, panels.site).site_title;
  const language = mailing.languageOf(site, user.properties.language);
  const say = mailing.wordsIn(site, language);
  const end = endInWords(site, expires, { language, timezone: user.properties.timezone });
  const hours = Math.round(resetLifetime(site) / HOUR_MS);
  const link = `${siteAddress.of(kernel, site)}/passwordreset/${token}?userid=${encodeURIComponent(user.id)}`;
  const [subject, first, last] =
    reason === 'welcome'
      ? [
          say(`Your account at ${title}`),
          say(`An account was made for you at ${title}.`),
          say('If you know nothing of this, do nothing.'),
        ]
      : [
          say(`New password for ${title}`),
          say(`Somebody, perhaps you, asked for a new password for ${title}.`),
          say('If it was not you, do nothing: your password stays as it is.'),
        ];
  const validity =
    hours === 1 ? say('The link works once, within an hour.') : say(`The link works once, within ${hours} hours.`);
  return {
    to: [{ name: user.fullname, address: user.email }],
    subject,
    text: `${first}

${say(`Your user name is ${user.login}. Set your password here:`)}

${link}

${validity} ${say(`That is until ${end}.`)}

${last}
`,
  };
}
