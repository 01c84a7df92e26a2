import { type MailHost, mailHostOf } from '../../src/mail/mail-host.ts';
import { panelSettings } from '../../src/site/panel.ts';
import { mailPanel } from '../../src/site/panels/general.ts';

/** The mail server of a site with these stored settings of the panel `mail`. */
export const testMailHost = (smtpUrl: string | undefined, stored: Record<string, unknown> = {}): MailHost | undefined =>
  mailHostOf(smtpUrl, panelSettings({ settings: new Map([['mail', stored]]) }, mailPanel));
