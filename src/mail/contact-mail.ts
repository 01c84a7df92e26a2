import type { JsonObject } from '../lib/json-object.ts';
import { isMailAddress, type Mail, type MailAddress } from './mail.ts';

const MAX_MESSAGE = 100_000;

/** What is wrong with one key of a message; `field` is its name. */
export type ContactProblem = { field: string; message: string };

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * The mail that the body `{name, from, subject, message}` of a contact form makes. It comes from the site, and answers
 * go to the one who wrote it; or what is wrong with the body.
 */
export function readContactMail(input: JsonObject, to: MailAddress): { mail: Mail } | { problems: ContactProblem[] } {
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
