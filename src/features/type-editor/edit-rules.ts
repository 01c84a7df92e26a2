import { FieldError, type FieldKinds, type Property } from '#core';
import { isJsonObject } from '#lib/json-object';
import { MAX_PATTERN_LENGTH, patternProblem } from '#lib/text/safe-pattern';

const MAX_NAME_LENGTH = 200;

/** The property without a setting. */
export function without(property: Property, setting: keyof Property): Property {
  const { [setting]: _gone, ...rest } = property;
  return { ...rest, title: property.title, type: property.type, factory: property.factory };
}

/** A regular expression that texts must fit. Throws FieldError. */
export function withPattern(value: unknown, property: Property, kinds: FieldKinds): Property {
  if (value === null || value === '') return without(property, 'pattern');
  if (!kinds.of(property).patterns) throw new FieldError(`A field of the kind "${property.factory}" has no pattern.`);
  const problem = typeof value === 'string' ? patternProblem(value) : 'none';
  if (problem === 'large') throw new FieldError('Takes too long to compare: repeat less in it.');
  if (typeof value !== 'string' || problem === 'none')
    throw new FieldError(
      `Must be a regular expression of up to ${MAX_PATTERN_LENGTH} characters, without look-around and back-references.`,
    );
  return { ...property, pattern: value };
}

/** A permission that reading or writing the field needs. Whether there is such a one is known of the site. Throws FieldError. */
export function withPermission(
  setting: 'read_permission' | 'write_permission',
  value: unknown,
  property: Property,
  name: string,
): Property {
  if (value === null || value === '') return without(property, setting);
  if (name === 'title') throw new FieldError('Everybody who sees content sees its title.');
  if (typeof value !== 'string' || value.length > MAX_NAME_LENGTH)
    throw new FieldError('Must be the name of a permission.');
  return { ...property, [setting]: value };
}

const MODES = ['hidden', 'display', 'input'] as const;

/** Sets whether forms show and clients write the field. Throws FieldError. */
export function withMode(value: unknown, property: Property): Property {
  if (value === null) return without(property, 'mode');
  const mode = MODES.find((one) => one === value);
  if (!mode) throw new FieldError(`Must be one of: ${MODES.join(', ')}.`);
  return { ...property, mode };
}

/** Sets or removes a flag; null and false remove it. Throws FieldError for other values than true. */
export function withFlag(setting: 'readonly' | 'writeOnly', value: unknown, property: Property): Property {
  if (value === null || value === false) return without(property, setting);
  if (value !== true) throw new FieldError('Must be true or false.');
  return { ...property, [setting]: true };
}

/** Sets whether all translations share the value. Throws FieldError. */
export function withSharing(value: unknown, property: Property): Property {
  if (value === null) return without(property, 'multilingual_options');
  const { language_independent: shared = false } = isJsonObject(value) ? value : { language_independent: null };
  if (typeof shared !== 'boolean') throw new FieldError('Must be {"language_independent": true or false}.');
  return { ...property, multilingual_options: { language_independent: shared } };
}

/** Types of JSON whose values can be compared: texts and numbers. */
const COMPARED = ['string', 'integer', 'number'];

/** Sets whether each object needs a value of its own. Throws FieldError. */
export function withUnique(value: unknown, property: Property, kinds: FieldKinds): Property {
  if (value === null || value === false) return without(property, 'unique');
  if (value !== true) throw new FieldError('Must be true or false.');
  const { chooses, relates, holds } = kinds.of(property);
  if (chooses || relates || holds || !COMPARED.includes(property.type))
    throw new FieldError('Only texts, dates and numbers can be unique.');
  return { ...property, unique: true };
}

/** Why settings do not go together; undefined when they do. */
export const conflictingRules = ({ unique, multilingual_options: shared }: Property): string | undefined =>
  unique === true && shared?.language_independent === true
    ? 'A value that all translations share cannot be unique.'
    : undefined;
