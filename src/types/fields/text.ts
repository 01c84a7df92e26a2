import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind } from '../field-kind.ts';

/** Throws unless the text is within the field's length limits and free of NUL, which PostgreSQL cannot store. */
export function checkText(value: unknown, field: Field): string {
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

/** Text of one line: trimmed, and empty text counts as unset (plone.restapi, TextLine). */
export const textLine: FieldKind = {
  factories: ['Text line (String)', 'Text line', 'Email', 'Password', 'Full Name', 'label_textline_field'],
  missing: null,
  deserialize(value, field) {
    const text = checkText(value, field).trim();
    if (/[\n\r]/.test(text)) throw new FieldError('Must be a single line.');
    if (text !== '' && field.factory === 'Email' && !/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text)) {
      throw new FieldError('Is not an e-mail address.');
    }
    return text === '' ? null : text;
  },
};

/** Text of several lines. */
export const text: FieldKind = {
  factories: ['Text', 'label_text_field'],
  missing: null,
  deserialize: checkText,
};
