import type { Property } from '../../types/definition.ts';
import { FieldError } from '../../types/field-kind.ts';

/** Settings of a field that bound its values. */
export const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;
export type Limit = (typeof LIMITS)[number];

const TEXTS = ['Text line (String)', 'Full Name', 'Text', 'Rich Text', 'Email', 'URL', 'Password'];
const NUMBERS = ['Integer', 'Floating-point number'];
const LISTS = ['List', 'Tuple', 'Collection', 'Set', 'Frozenset'];

/** The kinds of fields whose values are held to a limit. */
const KINDS: Readonly<Record<Limit, readonly string[]>> = {
  minLength: TEXTS,
  maxLength: TEXTS,
  minimum: NUMBERS,
  maximum: NUMBERS,
  minItems: LISTS,
  maxItems: LISTS,
};

/** A limit as a client sent it: a number, or a text that is one; undefined for none. Throws FieldError. */
export function readLimit(name: Limit, value: unknown, { factory }: Property): number | undefined {
  if (value === null || value === '') return undefined;
  if (!KINDS[name].includes(factory)) throw new FieldError(`A field of the kind "${factory}" has no ${name}.`);
  const number = typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new FieldError('Must be a number.');
  const counts = !NUMBERS.includes(factory);
  if ((counts || factory === 'Integer') && !Number.isSafeInteger(number)) throw new FieldError('Must be an integer.');
  if (counts && number < 0) throw new FieldError('Must not be negative.');
  return number;
}

const PAIRS: readonly [Limit, Limit][] = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
];

/** The lower limit that is above its upper one; undefined when all go together. */
export const crossedLimit = (property: Property): Limit | undefined =>
  PAIRS.find(
    ([low, high]) => (property[low] ?? Number.NEGATIVE_INFINITY) > (property[high] ?? Number.POSITIVE_INFINITY),
  )?.[0];
