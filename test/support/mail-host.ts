import { mailPanel } from '../../src/core/configuration/panels/general.ts';
import { panelSettings } from '../../src/core/configuration/panels/panel.ts';
import { type MailHost, mailHostOf } from '../../src/core/queue/mail/mail-host.ts';

/** The mail server of a site with these stored settings of the panel `mail`. */
export const testMailHost = (smtpUrl: string | undefined, stored: Record<string, unknown> = {}): MailHost | undefined =>
  mailHostOf(smtpUrl, panelSettings({ settings: new Map([['mail', stored]]) }, mailPanel));
