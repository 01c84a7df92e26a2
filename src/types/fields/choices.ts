import { tokenOf } from '../../lib/token-of.ts';
import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind, type ReadContext } from '../field-kind.ts';
import { checkText } from './text.ts';

const vocabularyOf = (field: Field) =>
  (field.vocabulary ?? field.items?.vocabulary)?.['@id'].split('/@vocabularies/').at(-1);
const choicesOf = (field: Field) => field.choices ?? field.items?.choices;

/** The token of a choice: a bare token or `{token, title}` (plone.restapi, Choice). */
function readToken(value: unknown, field: Field): string {
  const token = tokenOf(value);
  if (token === undefined) throw new FieldError('Must be a token or an object with a token.');
  checkText(token, { ...field, maxLength: 1000, minLength: 0 });
  const choices = choicesOf(field);
  if (choices && !choices.some(([known]) => known === token))
    throw new FieldError(`"${token}" is not one of the choices.`);
  return token;
}

/** `{token, title}` where the vocabulary knows the token, else the raw value (plone.restapi, S04). */
function term(token: string, field: Field, context: ReadContext): unknown {
  const title =
    choicesOf(field)?.find(([known]) => known === token)?.[1] ?? context.termTitle(vocabularyOf(field) ?? '', token);
  return title === undefined ? token : { token, title };
}

export const choice: FieldKind = {
  factories: ['Choice', 'label_choice_field'],
  missing: null,
  deserialize(value, field) {
    // The empty token, which forms send for no choice, is none of the choices.
    return tokenOf(value) === '' ? null : readToken(value, field);
  },
  serialize: (stored, field, context) => (typeof stored === 'string' ? term(stored, field, context) : stored),
};

/** Several tokens of a vocabulary. */
export const multipleChoice: FieldKind = {
  factories: ['Multiple Choice', 'label_multi_choice_field'],
  missing: [],
  deserialize: (value, field) => [
    ...new Set((Array.isArray(value) ? value : [value]).map((item) => readToken(item, field))),
  ],
  serialize: (stored, field, context) =>
    Array.isArray(stored)
      ? stored.map((token) => (typeof token === 'string' ? term(token, field, context) : token))
      : stored,
};
