import { isMailAddress, type MailAddress } from './mail.ts';

/** The server that takes the mails of the site, and their sender. */
export type MailHost = {
  host: string;
  port: number;
  /** True for TLS from the first byte on; otherwise STARTTLS if the server offers it. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
  from: MailAddress;
  /** True to log each step of sending a mail. */
  debug?: true;
};

/** The settings of the site for mail, see the control panel `mail`. */
export type MailSettings = {
  smtp_host: string;
  smtp_port: number;
  secure: boolean;
  smtp_userid: string;
  smtp_pass: string;
  email_from_name: string;
  email_from_address: string;
  debug: boolean;
};

/** The ports of SMTP: with TLS that begins later (RFC 5321), and with TLS from the first byte (RFC 8314). */
const SMTP_PORT = 25;
const SMTPS_PORT = 465;

/** User and password; undefined without a user name. */
const authOf = (user: string, pass: string): MailHost['auth'] => (user === '' ? undefined : { user, pass });

/**
 * The mail server: the server of the settings `mail` of the site, else of `SMTP_URL`; undefined when neither names a server. Mails come from
 * `email_from_address`, else from `noreply` at the server.
 */
export function mailHostOf(smtpUrl: string | undefined, settings: MailSettings): MailHost | undefined {
  const server = settings.smtp_host.trim() === '' ? fromUrl(smtpUrl) : fromSettings(settings);
  if (!server) return undefined;
  const address = settings.email_from_address.trim();
  const from = isMailAddress(address) ? address : `noreply@${server.host}`;
  const debug = settings.debug ? { debug: true as const } : {};
  return { ...server, ...debug, from: { name: settings.email_from_name.trim(), address: from } };
}

/** No server has TLS from the first byte on the default port, so with `secure` the default port stands for the port of SMTP with TLS. */
const fromSettings = (settings: MailSettings): Omit<MailHost, 'from'> => ({
  host: settings.smtp_host.trim(),
  port: settings.secure && settings.smtp_port === SMTP_PORT ? SMTPS_PORT : settings.smtp_port,
  secure: settings.secure,
  auth: authOf(settings.smtp_userid.trim(), settings.smtp_pass),
});

/** Decodes a part of an address; a part that is not percent-encoded stays unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}

function fromUrl(smtpUrl: string | undefined): Omit<MailHost, 'from'> | undefined {
  if (smtpUrl === undefined) return undefined;
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port: Number(port) || (secure ? SMTPS_PORT : SMTP_PORT),
    secure,
    auth: authOf(decoded(username), decoded(password)),
  };
}
