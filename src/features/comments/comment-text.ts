import { BadRequest } from '../../lib/errors.ts';
import { sanitizeHtml } from '../../lib/sanitize-html.ts';

/** Characters of a comment. */
const MOST_TEXT = 10_000;
/** Characters of the name that a visitor gives. */
const MOST_NAME = 200;

const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

/**
 * Reads the text of a comment of a media type; HTML is cleaned. Throws BadRequest when there is none: `purpose` is what
 * it is needed for, in the words of the contract (Nick, `@comments`).
 */
export function readCommentText(text: unknown, type: string, purpose: 'add' | 'modify'): string {
  const missing = `Text is required to ${purpose} a comment.`;
  if (text === undefined || text === null) throw new BadRequest(missing);
  if (typeof text !== 'string') throw new BadRequest('"text" must be a string.');
  if (!isStorable(text)) throw new BadRequest('"text" is not well-formed text.');
  if (text.length > MOST_TEXT) throw new BadRequest(`"text" is longer than ${MOST_TEXT} characters.`);
  const clean = type === 'text/html' ? sanitizeHtml(text) : text;
  if (clean.trim() === '') throw new BadRequest(missing);
  return clean;
}

/** Reads the name that somebody gives who is not logged in; empty for none. Throws BadRequest. */
export function readAuthorName(name: unknown): string {
  if (name === undefined || name === null) return '';
  if (typeof name !== 'string') throw new BadRequest('"author_name" must be a string.');
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) throw new BadRequest('"author_name" must be one line of text.');
  if (name.length > MOST_NAME) throw new BadRequest(`"author_name" is longer than ${MOST_NAME} characters.`);
  return name.trim();
}
