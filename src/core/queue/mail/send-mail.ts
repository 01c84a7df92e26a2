import type { Readable } from 'node:stream';
import { messageOf } from '../../../lib/errors.ts';
import type { FailureKind } from '../../../lib/http/circuit.ts';
import type { Log } from '../../../lib/process/process.ts';
import { cleanMail, type Mail, type MailAddress, type MailAttachment } from './mail.ts';
import type { MailHost } from './mail-host.ts';

/** Milliseconds without a response after which an attempt fails; the mail is tried again later. */
const CONNECT_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 30_000;

/** The error for a mail that the server did not take. `permanent` is true if the server will never take it. */
export class MailNotSent extends Error {
  readonly permanent: boolean;
  /** The failure of the server; undefined if it has responded. */
  readonly failure: FailureKind | undefined;

  constructor(
    message: string,
    { cause, ...kind }: { permanent: boolean; failure: FailureKind | undefined; cause: unknown },
  ) {
    super(message, { cause });
    this.name = 'MailNotSent';
    this.permanent = kind.permanent;
    this.failure = kind.failure;
  }
}

const header = ({ name, address }: MailAddress) => (name === '' ? address : { name, address });

/** The status of a mail server (RFC 5321, 4.2.1); undefined without a response. */
const replyOf = (error: unknown): number | undefined =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : undefined;

/** The failure of the server; undefined if it returned a status. */
function failureOf(error: unknown): FailureKind | undefined {
  if (replyOf(error) !== undefined) return undefined;
  return error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT' ? 'silent' : 'quick';
}

/**
 * Says if the server rejected the mail itself. A rejection of the sender, such as for a wrong password, is not permanent, because a Manager may
 * repair it.
 */
const isPermanent = (error: unknown): boolean =>
  (replyOf(error) ?? 0) >= 500 && !(error instanceof Error && 'code' in error && error.code === 'EAUTH');

/** Writes the steps of the transport to the log; the transport's own log levels only serve its own debugging. */
function stepsTo(log: Log) {
  const report = (entry: object, message: string, ...values: unknown[]) =>
    log.info(entry, `mail: ${message}`, ...values);
  return { level() {}, trace: report, debug: report, info: report, warn: report, error: report, fatal: report };
}

/** Means to send a mail. */
export type Delivery = {
  log: Log;
  /** Opens the bytes of an attachment by its address in the blob store. */
  openBlob(hash: string): Promise<Readable>;
};

/** Opens the bytes of the attachments. When one cannot be opened, the others are closed. */
async function openAttachments(
  attachments: readonly MailAttachment[],
  openBlob: Delivery['openBlob'],
): Promise<{ filename: string; contentType: string; content: Readable }[]> {
  const opened: { filename: string; contentType: string; content: Readable }[] = [];
  try {
    for (const { hash, filename, contentType } of attachments)
      opened.push({ filename, contentType, content: await openBlob(hash) });
  } catch (error) {
    for (const { content } of opened) content.destroy();
    throw error;
  }
  return opened;
}

/** Connects to the mail server and logs in, as for a mail. Sends nothing. Throws the errors of the transport. */
export async function tryMailHost({ host, port, secure, auth }: MailHost, timeoutMs: number): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport({ host, port, secure, ...(auth ? { auth } : {}), ...times });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Sends one mail to the mail server. Throws MailNotSent. */
export async function sendMail(
  { host, port, secure, auth, from, debug }: MailHost,
  mail: Mail,
  { log, openBlob }: Delivery,
): Promise<void> {
  const { to, bcc = [], from: sender = from, replyTo, subject, text, html, attachments = [] } = cleanMail(mail);
  // Loaded only when needed, because it is a large package and most processes rarely send mail.
  const { createTransport } = await import('nodemailer');
  const files = await openAttachments(attachments, openBlob);
  const transport = createTransport({
    host,
    port,
    secure,
    ...(auth ? { auth } : {}),
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    // Logs the commands and replies, without passwords and without the content of the mail.
    ...(debug ? { logger: stepsTo(log), transactionLog: true } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      to: to.map(header),
      from: header(sender),
      // Undeliverable mail comes back to the site, also when its header names another sender.
      envelope: { from: from.address, to: [...to, ...bcc].map(({ address }) => address) },
      ...(replyTo ? { replyTo: header(replyTo) } : {}),
      subject,
      text,
      ...(html === undefined ? {} : { html }),
      ...(files.length === 0 ? {} : { attachments: files }),
    });
  } catch (error) {
    throw new MailNotSent(messageOf(error), {
      ...{ permanent: isPermanent(error), failure: failureOf(error), cause: error },
    });
  } finally {
    for (const { content } of files) content.destroy();
    transport.close();
  }
}
