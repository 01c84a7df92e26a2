import { Type } from 'typebox';
import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind } from '../field-kind.ts';
import { numberLimits, sameShape } from '../value-shapes.ts';

function checkRange(value: number, field: Field): number {
  if (field.minimum !== undefined && value < field.minimum) throw new FieldError(`Must be at least ${field.minimum}.`);
  if (field.maximum !== undefined && value > field.maximum) throw new FieldError(`Must be at most ${field.maximum}.`);
  return value;
}

/** A number or a string with a number, as forms send it. */
function toNumber(value: unknown, what: string): number {
  const number =
    typeof value === 'string' && /^\s*[+-]?(\d{1,20}\.?\d{0,20}|\.\d{1,20})(e[+-]?\d{1,3})?\s*$/i.test(value)
      ? Number(value)
      : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new FieldError(`Must be ${what}.`);
  return number;
}

export const integer: FieldKind = {
  shape: (field) => ({ read: Type.Integer(), write: Type.Integer(numberLimits(field)) }),
  factories: [{ name: 'Integer', tokens: ['label_integer_field'], property: { type: 'integer' }, forUsers: true }],
  indexes: ['number'],
  column: true,
  limits: 'integer',
  missing: null,
  deserialize(value, field) {
    const number = toNumber(value, 'an integer');
    if (!Number.isSafeInteger(number)) throw new FieldError('Must be an integer.');
    return checkRange(number, field);
  },
  recognizes: (sample) => 'value' in sample && Number.isInteger(sample.value),
};

export const float: FieldKind = {
  shape: (field) => ({ read: Type.Number(), write: Type.Number(numberLimits(field)) }),
  factories: [
    { name: 'Floating-point number', tokens: ['label_float_field'], property: { type: 'number' }, forUsers: true },
  ],
  indexes: ['number'],
  column: true,
  limits: 'number',
  missing: null,
  deserialize: (value, field) => checkRange(toNumber(value, 'a number'), field),
  recognizes: (sample) => 'value' in sample && typeof sample.value === 'number',
  breadth: 1,
};

export const boolean: FieldKind = {
  shape: () => sameShape(Type.Boolean()),
  factories: [{ name: 'Yes/No', tokens: ['label_boolean_field'], property: { type: 'boolean' }, forUsers: true }],
  indexes: ['boolean'],
  column: true,
  missing: null,
  deserialize(value) {
    if (typeof value !== 'boolean') throw new FieldError('Must be true or false.');
    return value;
  },
  recognizes: (sample) => 'value' in sample && typeof sample.value === 'boolean',
};
