import { isMailAddress, type MailAddress } from './mail.ts';

/** The server that takes the mails of the site, and whom they come from. */
export type MailHost = {
  host: string;
  port: number;
  /** TLS from the first byte on; otherwise STARTTLS where the server offers it. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
  from: MailAddress;
  /** Each step of sending a mail is written to the log. */
  debug?: true;
};

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

const portOf = (value: unknown, fallback: number): number => {
  const port = Number(value);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : fallback;
};

/** User and password; none without a name. */
const authOf = (user: string, pass: string): MailHost['auth'] => (user === '' ? undefined : { user, pass });

/**
 * The mail server: that of the settings `mail` of the site, else that of `SMTP_URL`; undefined when neither names
 * one. Mails come from `email_from_address`, else from `noreply` at the server.
 */
export function readMailHost(smtpUrl: string | undefined, panel: Record<string, unknown> = {}): MailHost | undefined {
  const host = text(panel.host);
  const server = host === '' ? fromUrl(smtpUrl) : fromPanel(host, panel);
  if (!server) return undefined;
  const address = text(panel.email_from_address);
  const from = isMailAddress(address) ? address : `noreply@${server.host}`;
  const debug = panel.debug === true ? { debug: true as const } : {};
  return { ...server, ...debug, from: { name: text(panel.email_from_name), address: from } };
}

function fromPanel(host: string, panel: Record<string, unknown>): Omit<MailHost, 'from'> {
  const secure = panel.secure === true;
  const pass = typeof panel.pass === 'string' ? panel.pass : '';
  return { host, port: portOf(panel.port, secure ? 465 : 25), secure, auth: authOf(text(panel.user), pass) };
}

/** A part of an address, decoded; as it is when it is not percent-encoded. */
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
  return { host, port: portOf(port, secure ? 465 : 25), secure, auth: authOf(decoded(username), decoded(password)) };
}
