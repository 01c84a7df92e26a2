/**
 * Mails of the site. `mailing.queue(tx, mail)` sends a mail after the commit; `mailing.queueKind` sends a mail that is composed at that time
 * (`MailKind`).
 */
export {
  mailLanguage as languageOf,
  mailWords as wordsIn,
  NO_MAIL_HOST as NO_HOST,
  siteMailHost as hostOf,
} from '../configuration/site/site-mail.ts';
export {
  isMailAddress as isAddress,
  isPlausibleMailAddress as isPlausibleAddress,
  type Mail,
} from '../queue/mail/mail.ts';
export { queueMail as queueKind, queueWholeMail as queue } from '../queue/mail/queue-mail.ts';
