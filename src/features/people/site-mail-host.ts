import { type MailHost, readMailHost } from '../../mail/mail-host.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Site } from '../../site/site.ts';

/** What clients are told who ask for a mail that nobody can send (Plone's words). */
export const NO_MAIL_HOST = 'MailHost is not configured.';

/** The mail server of the site; undefined when there is none. */
export const siteMailHost = ({ config }: Pick<Kernel, 'config'>, site: Site): MailHost | undefined =>
  readMailHost(config.smtpUrl, site.settings.get('mail'));
