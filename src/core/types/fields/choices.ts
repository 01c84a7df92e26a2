import { Type } from 'typebox';
import { tokenOf } from '../../../lib/json-object.ts';
import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind, type ReadContext } from '../field-kind.ts';
import { Term, type ValueShape } from '../value-shapes.ts';
import { vocabularyName } from '../vocabularies/vocabulary-definition.ts';
import { mergeSet } from './merge-list.ts';
import { checkText, TOKEN_LENGTH } from './text.ts';

const choicesOf = (field: Field) => field.choices ?? field.items?.choices;

/** Says if the field may have a token: one of its choices, or a term of its vocabulary if the terms are known. */
function isAllowed(token: string, field: Field): boolean {
  const choices = choicesOf(field);
  return choices ? choices.some(([known]) => known === token) : (field.terms?.()?.takes(token) ?? true);
}

/** The token of a choice: a bare token or `{token, title}` (plone.restapi, Choice). */
function parseToken(value: unknown, field: Field): string {
  const token = tokenOf(value);
  if (token === undefined) throw new FieldError('Must be a token or an object with a token.');
  checkText(token, TOKEN_LENGTH);
  if (!isAllowed(token, field)) throw new FieldError(`"${token}" is not one of the choices.`);
  return token;
}

/** `{token, title}` if the vocabulary has the token, else the raw value (plone.restapi, S04). */
function term(token: string, field: Field, context: ReadContext): unknown {
  const title =
    choicesOf(field)?.find(([known]) => known === token)?.[1] ??
    context.termTitle(vocabularyName(field) ?? '', token) ??
    field.terms?.()?.titles.get(token);
  return title === undefined ? token : { token, title };
}

/** The shape of a token: in bodies a token that the field takes, in responses a term or a bare token. */
function tokenShape(field: Field): ValueShape {
  const choices = choicesOf(field);
  return {
    read: Type.Union([Term, Type.String()]),
    write: choices && choices.length > 0 ? Type.Enum(choices.map(([token]) => token)) : Type.String(),
  };
}

/** One token of its choices or of a vocabulary. */
export const choice: FieldKind = {
  shape: tokenShape,
  factories: [{ name: 'Choice', tokens: ['label_choice_field'], property: { type: 'string' }, forUsers: true }],
  chooses: 'one',
  indexes: ['field'],
  column: true,
  missing: null,
  deserialize(value, field, { current }) {
    const token = tokenOf(value);
    // Forms send the empty token for no choice.
    if (token === '') return null;
    // Imports store values without a term on the site, and clients send these values back.
    return token !== undefined && token === current ? token : parseToken(value, field);
  },
  serialize: (stored, field, context) => (typeof stored === 'string' ? term(stored, field, context) : stored),
};

/** Several tokens of a vocabulary. */
export const multipleChoice: FieldKind = {
  shape(field) {
    const { read, write } = tokenShape(field);
    return { read: Type.Array(read), write: Type.Array(write) };
  },
  factories: [
    {
      name: 'Multiple Choice',
      tokens: ['label_multi_choice_field'],
      property: { type: 'array', items: { type: 'string' }, uniqueItems: true },
      forUsers: true,
    },
  ],
  chooses: 'many',
  indexes: ['keyword'],
  column: true,
  missing: [],
  merge: mergeSet,
  deserialize: (value, field) => [
    ...new Set((Array.isArray(value) ? value : [value]).map((item) => parseToken(item, field))),
  ],
  serialize: (stored, field, context) =>
    Array.isArray(stored)
      ? stored.map((token) => (typeof token === 'string' ? term(token, field, context) : token))
      : stored,
};
