import { isJsonObject } from '../../../lib/json-object.ts';

/** A name and the address behind it. */
export type MailAddress = { name: string; address: string };

/** A file attached to a mail; its bytes are in the blob store. */
export type MailAttachment = { hash: string; filename: string; contentType: string };

/** A mail to be sent: plain text, and optionally the same as HTML. Without `from` it comes from the site. */
export type Mail = {
  to: MailAddress[];
  /** Recipients that other recipients do not see. */
  bcc?: MailAddress[];
  from?: MailAddress;
  replyTo?: MailAddress;
  subject: string;
  text: string;
  html?: string;
  attachments?: MailAttachment[];
};

/** Longest address, in characters (RFC 5321, 4.5.3.1.3, without its brackets). */
const MAX_MAIL_ADDRESS = 254;
const MAX_NAME = 200;
const MAX_SUBJECT = 500;
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u;

/** Tests for one e-mail address: nothing in it can begin another address or another header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_MAIL_ADDRESS && text.isWellFormed() && ADDRESS.test(text);

/** Maximum length of the part before the `@` (RFC 5321, 4.5.3.1.1), and its characters in real addresses. */
const MAX_LOCAL_PART = 64;
const LOCAL_PART = /^[\p{L}\p{N}\p{M}#$&'*+/=^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}#$&'*+/=^_`{|}~-]+)*$/u;
const LABEL = /^(?!-)[\p{L}\p{N}\p{M}-]{1,63}(?<!-)$/u;

/**
 * Says if a text is an address that mail can reach: beyond `isMailAddress` it has a domain of two names or more, and no form that makes servers relay
 * mail (`user%other@relay`). For addresses from anonymous visitors.
 */
export function isPlausibleMailAddress(text: string): boolean {
  if (!isMailAddress(text)) return false;
  const [local = '', domain = ''] = text.split('@');
  const labels = domain.split('.');
  return (
    local.length <= MAX_LOCAL_PART &&
    LOCAL_PART.test(local) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\p{N}+$/u.test(labels.at(-1) ?? '')
  );
}

/** Characters that are forbidden in headers: controls, ends of lines, and marks that change the direction of writing. */
const UNSAFE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * A text as one line of a header: control characters become spaces, and a long text is cut. A text that looks like an encoded word (RFC 2047) is
 * split, so that programs do not decode it to another text than people see.
 */
const headerLine = (text: string, max: number): string =>
  text.replace(UNSAFE, ' ').replaceAll('=?', '= ?').trim().slice(0, max).toWellFormed();

const cleanAddress = ({ name, address }: MailAddress): MailAddress => {
  if (!isMailAddress(address)) throw new TypeError('A mail has an address that is none');
  return { name: headerLine(name, MAX_NAME), address };
};

/**
 * The mail with headers of one line each, so that no text of a client becomes a header of its own. Throws TypeError for a text that is no address: a
 * caller with an address of a client checks it with `isMailAddress` first.
 */
export function cleanMail({ to, bcc, from, replyTo, subject, ...mail }: Mail): Mail {
  return {
    ...mail,
    to: to.map(cleanAddress),
    ...(bcc ? { bcc: bcc.map(cleanAddress) } : {}),
    ...(from ? { from: cleanAddress(from) } : {}),
    ...(replyTo ? { replyTo: cleanAddress(replyTo) } : {}),
    subject: headerLine(subject, MAX_SUBJECT),
  };
}

const isAddress = (value: unknown): value is MailAddress =>
  isJsonObject(value) && typeof value.name === 'string' && typeof value.address === 'string';

const isAddressList = (value: unknown): value is MailAddress[] => Array.isArray(value) && value.every(isAddress);

const isAttachment = (value: unknown): value is MailAttachment =>
  isJsonObject(value) &&
  typeof value.hash === 'string' &&
  typeof value.filename === 'string' &&
  typeof value.contentType === 'string';

/** Tests for a mail in a value that was stored as JSON. */
export const isMail = (value: unknown): value is Mail =>
  isJsonObject(value) &&
  isAddressList(value.to) &&
  (value.bcc === undefined || isAddressList(value.bcc)) &&
  (value.from === undefined || isAddress(value.from)) &&
  (value.replyTo === undefined || isAddress(value.replyTo)) &&
  typeof value.subject === 'string' &&
  typeof value.text === 'string' &&
  (value.html === undefined || typeof value.html === 'string') &&
  (value.attachments === undefined || (Array.isArray(value.attachments) && value.attachments.every(isAttachment)));
