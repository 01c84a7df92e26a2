import { isJsonObject, type JsonObject } from '../lib/json-object.ts';

/** A name and the address behind it. */
export type MailAddress = { name: string; address: string };

/** A mail to be sent, in plain text. Without `from` it comes from the site. */
export type Mail = {
  to: MailAddress[];
  from?: MailAddress;
  replyTo?: MailAddress;
  subject: string;
  text: string;
};

/** Longest address, in characters (RFC 5321, 4.5.3.1.3, without its brackets). */
const MAX_MAIL_ADDRESS = 254;
const MAX_NAME = 200;
const MAX_SUBJECT = 500;
const ADDRESS = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@<>()[\]\\,;:"]+$/u;

/** Whether a text is one e-mail address: nothing in it can begin another address or another header. */
export const isMailAddress = (text: string): boolean =>
  text.length <= MAX_MAIL_ADDRESS && text.isWellFormed() && ADDRESS.test(text);

/** A text as one line of a header: control characters become spaces, what is too long is cut. */
const headerLine = (text: string, max: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, max)
    .toWellFormed();

const cleanAddress = ({ name, address }: MailAddress): MailAddress => {
  if (!isMailAddress(address)) throw new TypeError('A mail has an address that is none');
  return { name: headerLine(name, MAX_NAME), address };
};

/**
 * The mail with headers that hold one line each, so that no text of a client becomes a header of its own. Throws
 * TypeError for an address that is none: whoever takes one from a client checks it with `isMailAddress` first.
 */
export function cleanMail({ to, from, replyTo, subject, text }: Mail): Mail {
  return {
    to: to.map(cleanAddress),
    ...(from ? { from: cleanAddress(from) } : {}),
    ...(replyTo ? { replyTo: cleanAddress(replyTo) } : {}),
    subject: headerLine(subject, MAX_SUBJECT),
    text,
  };
}

const isAddress = (value: unknown): value is MailAddress =>
  isJsonObject(value) && typeof value.name === 'string' && typeof value.address === 'string';

/** Whether a value that was stored as JSON is a mail. */
export const isMail = (value: unknown): value is Mail =>
  isJsonObject(value) &&
  Array.isArray(value.to) &&
  value.to.every(isAddress) &&
  (value.from === undefined || isAddress(value.from)) &&
  (value.replyTo === undefined || isAddress(value.replyTo)) &&
  typeof value.subject === 'string' &&
  typeof value.text === 'string';

const MAX_MESSAGE = 100_000;

/** What is wrong with one key of a message; `field` is its name. */
export type ContactProblem = { field: string; message: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * The mail that the body `{name, from, subject, message}` of a contact form makes. It comes from the site, and answers
 * go to the one who wrote it; or what is wrong with the body.
 */
export function parseContactMail(input: JsonObject, to: MailAddress): { mail: Mail } | { problems: ContactProblem[] } {
  const [from, text] = [textOf(input.from), textOf(input.message)];
  const problems: ContactProblem[] = [];
  if (from === '') problems.push({ field: 'from', message: 'Is required.' });
  else if (!isMailAddress(from)) problems.push({ field: 'from', message: 'Is not an e-mail address.' });
  if (text === '') problems.push({ field: 'message', message: 'Is required.' });
  else if (text.length > MAX_MESSAGE)
    problems.push({ field: 'message', message: `Must have at most ${MAX_MESSAGE} characters.` });
  if (problems.length > 0) return { problems };
  const replyTo = { name: textOf(input.name), address: from };
  return { mail: { to: [to], replyTo, subject: textOf(input.subject) || 'A message', text: text.toWellFormed() } };
}
