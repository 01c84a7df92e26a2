import { textOf } from '../../../lib/json-object.ts';
import { mergeText } from '../../../lib/merge/merge-text.ts';
import { matchesPattern } from '../../../lib/text/safe-pattern.ts';
import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind, type TextRewriter, type WriteContext } from '../field-kind.ts';
import { textShape } from '../value-shapes.ts';

/** Maximum length in characters of a text in an export that becomes a field of one line. */
const MAX_LINE_LENGTH = 200;

/** Lengths of a token, in characters. Those of its field are the lengths of other kinds of values. */
export const TOKEN_LENGTH = { maxLength: 1000, minLength: 0 };

/** Throws unless the text is within the field's length limits and free of NUL, which PostgreSQL cannot store. */
export function checkText(value: unknown, field: Pick<Field, 'maxLength' | 'minLength'>): string {
  if (typeof value !== 'string') throw new FieldError('Must be a string.');
  if (value.includes('\u0000')) throw new FieldError('Must not contain NUL characters.');
  if (!value.isWellFormed()) throw new FieldError('Is not well-formed Unicode text.');
  if (field.maxLength !== undefined && value.length > field.maxLength) {
    throw new FieldError(`Is longer than ${field.maxLength} characters.`);
  }
  if (field.minLength !== undefined && value.length < field.minLength) {
    throw new FieldError(`Is shorter than ${field.minLength} characters.`);
  }
  return value;
}

/** Throws unless the field's pattern is found in the text, or the text is the stored one and cannot be compared. */
function checkPattern(text: string, { pattern }: Field, { current, patterns }: WriteContext): void {
  if (pattern === undefined) return;
  const matches = matchesPattern(pattern, text, patterns);
  if (matches === undefined && text === current) return;
  if (matches === undefined)
    throw new FieldError('Is too long to be compared with the pattern of the field, or the pattern repeats too much.');
  if (!matches) throw new FieldError(`Does not fit the pattern ${pattern}.`);
}

/** Text without line breaks and without space around it; null for an empty one. Throws FieldError. */
function parseLine(value: unknown, field: Field, context: WriteContext): string | null {
  const line = checkText(value, field).trim();
  if (/[\n\r]/.test(line)) throw new FieldError('Must be a single line.');
  if (line !== '') checkPattern(line, field, context);
  return line === '' ? null : line;
}

/** Numbers and truth values as texts; old sites have such values in fields of texts. */
const asText = (value: unknown): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

const rewrite = (stored: unknown, _field: Field, { text: replace }: TextRewriter): unknown =>
  typeof stored === 'string' ? replace(stored) : stored;

/** Members that all kinds of texts share, passwords included. */
const anyLine: Pick<FieldKind, 'missing' | 'limits' | 'patterns' | 'deserialize' | 'shape'> = {
  shape: textShape,
  missing: null,
  limits: 'length',
  patterns: true,
  deserialize: parseLine,
};

/** Text of one line: trimmed, and empty text counts as unset (plone.restapi, TextLine). */
export const textLine: FieldKind = {
  ...anyLine,
  factories: [
    {
      name: 'Text line (String)',
      aliases: ['Text line'],
      tokens: ['label_textline_field'],
      property: { type: 'string' },
      forUsers: true,
    },
    { name: 'Full Name', tokens: ['label_full_name'], property: { type: 'string' } },
  ],
  indexes: ['field', 'text'],
  column: true,
  words: textOf,
  rewrite,
  recognizes: (sample) =>
    'value' in sample &&
    typeof sample.value === 'string' &&
    sample.value.length <= MAX_LINE_LENGTH &&
    !sample.value.includes('\n'),
  breadth: 1,
  mend: (value) => (typeof value === 'string' && /[\r\n]/.test(value) ? value.replace(/[\r\n]+/g, ' ') : asText(value)),
};

/** A line that is an e-mail address. */
export const email: FieldKind = {
  ...anyLine,
  factories: [
    {
      name: 'Email',
      tokens: ['Email', 'label_email'],
      property: { type: 'string', widget: 'email' },
      forUsers: true,
    },
  ],
  narrows: textLine,
  indexes: ['field', 'text'],
  column: true,
  words: textOf,
  rewrite,
  deserialize(value, field, context) {
    const address = parseLine(value, field, context);
    if (address !== null && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address))
      throw new FieldError('Is not an e-mail address.');
    return address;
  },
  mend: (value) => textLine.mend?.(value),
};

/** A line that searches do not find and lists do not show. */
export const password: FieldKind = {
  ...anyLine,
  secret: true,
  factories: [{ name: 'Password', tokens: ['label_password_field'], property: { type: 'string', widget: 'password' } }],
  narrows: textLine,
};

/** Text of several lines. */
export const text: FieldKind = {
  factories: [
    {
      name: 'Text',
      tokens: ['label_text_field'],
      property: { type: 'string', widget: 'textarea' },
      forUsers: true,
    },
  ],
  missing: null,
  shape: textShape,
  limits: 'length',
  patterns: true,
  deserialize(value, field, context) {
    const checked = checkText(value, field);
    if (checked !== '') checkPattern(checked, field, context);
    return checked;
  },
  indexes: ['field', 'text'],
  column: true,
  words: textOf,
  rewrite,
  merge({ base, mine, theirs }, { prefer, budget }) {
    if (typeof mine !== 'string' || typeof theirs !== 'string') return undefined;
    return mergeText({ base: typeof base === 'string' ? base : '', mine, theirs }, prefer, budget);
  },
  recognizes: (sample) => 'value' in sample && typeof sample.value === 'string',
  breadth: 2,
  mend: asText,
};
