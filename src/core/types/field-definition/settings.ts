import { type Static, type TSchema, Type } from 'typebox';
import type { FieldProblem } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { LateValidator } from '../../../lib/schema/late-validator.ts';
import { MAX_PATTERN_LENGTH, patternProblem } from '../../../lib/text/safe-pattern.ts';
import type { Property } from '../definition.ts';
import { FieldError, type FieldKind, NO_REFERENCES } from '../field-kind.ts';
import type { FieldKinds } from '../field-kinds.ts';

const MAX_TITLE_LENGTH = 200;
export const MAX_TEXT_LENGTH = 2000;
const MAX_NAME_LENGTH = 200;
const MAX_OPTIONS_LENGTH = 20_000;
const MAX_CHOICES = 1000;
const MAX_CHOICE_LENGTH = 1000;

/** A name of something in the configuration. */
export const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });
const optional = (members: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]));
/** An object with all members of `needed`, optional members of `other`, and no further members. */
export const Exactly = <T extends Record<string, TSchema>>(needed: T, other: Record<string, TSchema> = {}) =>
  Type.Object({ ...needed, ...optional(other) }, { additionalProperties: false });
const Flag = Type.Boolean();
const Vocabulary = Exactly({ '@id': Type.String({ pattern: '^[^\\s\\x00-\\x1f\\x7f-\\x9f]{1,500}$' }) });
const Choices = Type.Array(Type.Tuple([Type.String(), Type.String()]));

/** The description of an index for editors of queries. */
export const INDEX_DISPLAY = {
  title: Type.String(),
  description: Type.String(),
  group: Type.String(),
  enabled: Flag,
  sortable: Flag,
};

/** A field of a known kind whose settings have any form. */
export type SentField = Readonly<Record<string, unknown>> & Pick<Property, 'factory' | 'type'>;

/** The field that has a setting. */
type Place = { name: string; kind: FieldKind } & Pick<Property, 'factory' | 'type'>;

/** A setting of fields: the schema of its stored form, and the problem of a value, if any, as a sentence. */
type Setting = { schema: TSchema; problem(value: unknown, place: Place): string | undefined };

/** Declares a setting. `message` rejects another form, and `rule` a value that does not fit the field. */
function setting<S extends TSchema>(
  schema: S,
  message: string,
  rule?: (value: Static<S>, place: Place) => string | undefined,
): Setting {
  const form = new LateValidator(schema);
  return {
    schema,
    problem: (value, place) => (form.Check(value) ? rule?.(value, place) : message),
  };
}

const flag = (rule?: (value: boolean, place: Place) => string | undefined) =>
  setting(Flag, 'Must be true or false.', rule);

/** A limit for kinds of fields that have one of `limits`. */
const limit = (name: string, ...limits: NonNullable<FieldKind['limits']>[]) =>
  setting(Type.Number(), 'Must be a number.', (value, { kind, factory }) => {
    if (!kind.limits || !limits.includes(kind.limits)) return `A field of the kind "${factory}" has no ${name}.`;
    if (kind.limits !== 'number' && !Number.isSafeInteger(value)) return 'Must be an integer.';
    return value < 0 && (kind.limits === 'length' || kind.limits === 'items') ? 'Must not be negative.' : undefined;
  });

const permission = () =>
  setting(Name, 'Must be the name of a permission.', (_, { name }) =>
    name === 'title' ? 'Everybody who sees content sees its title.' : undefined,
  );

const NO_PATTERN = `Must be a regular expression of up to ${MAX_PATTERN_LENGTH} characters, without look-around and back-references.`;

function choicesProblem(choices: readonly (readonly [string, string])[]): string | undefined {
  if (choices.length > MAX_CHOICES) return `There are at most ${MAX_CHOICES} choices.`;
  if (choices.some(([token, title]) => token.trim() === '' || Math.max(token.length, title.length) > MAX_CHOICE_LENGTH))
    return `Choices are texts, or pairs of token and title, of up to ${MAX_CHOICE_LENGTH} characters.`;
  return new Set(choices.map(([token]) => token)).size < choices.length
    ? 'Each choice needs a token of its own.'
    : undefined;
}

const NO_TITLE = `Must be a text of up to ${MAX_TITLE_LENGTH} characters, and not be empty.`;
const NO_TEXT = `Must be a text of up to ${MAX_TEXT_LENGTH} characters.`;

/** A title, of a field or of a thing with fields: a text that is not empty. Throws FieldError. */
export function parseTitle(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TITLE_LENGTH)
    throw new FieldError(NO_TITLE);
  return value.trim();
}

/** A text for people, which may be empty. Throws FieldError. */
export function parseDescription(value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) throw new FieldError(NO_TEXT);
  return value;
}

/** Types of JSON whose values can be compared: texts and numbers. */
const COMPARED = ['string', 'integer', 'number'];

/**
 * The settings of a field besides its kind (`factory`, `type`) and the fields inside it (`schema`). Files of profiles, the editor of types and the
 * fields of users use these settings and their checks.
 */
export const FIELD_SETTINGS: Readonly<Record<string, Setting>> = {
  title: setting(Type.String({ maxLength: MAX_TITLE_LENGTH, pattern: '\\S' }), NO_TITLE),
  description: setting(Type.String({ maxLength: MAX_TEXT_LENGTH }), NO_TEXT),
  widget: setting(Name, 'Must be the name of a widget.'),
  widgetOptions: setting(
    Type.Record(Type.String(), Type.Unknown()),
    `Must be an object of up to ${MAX_OPTIONS_LENGTH} characters.`,
    (options) =>
      JSON.stringify(options).length > MAX_OPTIONS_LENGTH
        ? `Must be an object of up to ${MAX_OPTIONS_LENGTH} characters.`
        : undefined,
  ),
  default: setting(Type.Unknown(), ''),
  mode: setting(
    Type.Union([Type.Literal('hidden'), Type.Literal('display'), Type.Literal('input')]),
    'Must be one of: hidden, display, input.',
  ),
  readonly: flag(),
  writeOnly: flag(),
  vocabulary: setting(Vocabulary, 'Must be the name of a vocabulary, or {"@id": …} with its address.'),
  choices: setting(Choices, 'Must be a list of choices.', choicesProblem),
  items: setting(
    Type.Partial(
      Type.Object({ type: Name, vocabulary: Vocabulary, choices: Choices }, { additionalProperties: false }),
    ),
    'Must be an object with the choices or the vocabulary of a list.',
    ({ choices }) => choices && choicesProblem(choices),
  ),
  minLength: limit('minLength', 'length'),
  maxLength: limit('maxLength', 'length'),
  minimum: limit('minimum', 'integer', 'number'),
  maximum: limit('maximum', 'integer', 'number'),
  minItems: limit('minItems', 'items'),
  maxItems: limit('maxItems', 'items'),
  pattern: setting(
    // A pattern that is too large does not stop the start of a site: texts are not compared with it, see `matchesPattern`.
    Type.Refine(
      Type.String(),
      (pattern) => patternProblem(pattern) !== 'none',
      () => 'must be a regular expression without look-around and back-references',
    ),
    NO_PATTERN,
    (pattern, { kind, factory }) => {
      if (!kind.patterns) return `A field of the kind "${factory}" has no pattern.`;
      return patternProblem(pattern) === 'large' ? 'Takes too long to compare: repeat less in it.' : undefined;
    },
  ),
  unique: flag((wanted, { kind, type }) =>
    wanted && (kind.chooses || kind.relates || kind.holds || !COMPARED.includes(type))
      ? 'Only texts, dates and numbers can be unique.'
      : undefined,
  ),
  uniqueItems: flag(),
  additionalItems: flag(),
  multilingual_options: setting(
    Exactly({ language_independent: Flag }),
    'Must be {"language_independent": true or false}.',
  ),
  allowed_mime_types: setting(Type.Array(Name), 'Must be a list of media types.'),
  default_mime_type: setting(Name, 'Must be a media type.'),
  read_permission: permission(),
  write_permission: permission(),
  index: setting(
    Type.Union([Name, Exactly({ kind: Name }, INDEX_DISPLAY)]),
    'Must be the kind of an index, or an object with its kind.',
  ),
  column: flag(),
  behavior: setting(Name, 'Must be the name of a behavior or a type.'),
};

/** The schema of a field whose fields inside have the form of `inside`. */
export function FieldSchema(inside: Record<string, TSchema>) {
  const { title = Type.Never(), ...others } = Object.fromEntries(
    Object.entries(FIELD_SETTINGS).map(([name, { schema }]) => [name, schema]),
  );
  return Exactly({ title, type: Name, factory: Name }, { ...others, ...inside });
}

/** Says if a value is a field of a kind. `settingProblems` checks its settings. */
export const isProperty = (field: JsonObject): field is Property =>
  typeof field.title === 'string' && typeof field.type === 'string' && typeof field.factory === 'string';

/** Limits, each lower one with its upper one. */
const PAIRS = [
  ['minLength', 'maxLength'],
  ['minimum', 'maximum'],
  ['minItems', 'maxItems'],
] as const;

/** The names of all limits. */
export const LIMITS: readonly string[] = PAIRS.flat();

/**
 * Lists the problems with the settings of a field of a kind, each with the name of the setting. `storedDefault` checks the default,
 * `definitionProblem` the fields inside.
 */
export function settingProblems(kind: FieldKind, name: string, field: SentField): FieldProblem[] {
  const place = { name, kind, factory: field.factory, type: field.type };
  const problems = Object.entries(FIELD_SETTINGS).flatMap(([key, { problem }]): FieldProblem[] => {
    const message = field[key] === undefined ? undefined : problem(field[key], place);
    return message === undefined ? [] : [{ field: key === 'items' ? 'choices' : key, message }];
  });
  const crossed = PAIRS.find(([low, high]) => Number(field[low]) > Number(field[high]));
  if (crossed) problems.push({ field: crossed[0], message: 'Must not be more than the upper limit.' });
  if (field.unique === true && isShared(field.multilingual_options))
    problems.push({ field: 'unique', message: 'A value that all translations share cannot be unique.' });
  return problems;
}

const isShared = (value: unknown): boolean => isJsonObject(value) && value.language_independent === true;

/** Returns the stored form of the default of a field, null for an empty one. Throws FieldError for a value that the field cannot have. */
export function storedDefault(kinds: FieldKinds, name: string, property: Property): unknown {
  const kind = kinds.of(property);
  const { default: value } = property;
  if (value === undefined || value === null || value === '') return null;
  if (kind.holds) throw new FieldError('A file cannot be a default.');
  return kind.deserialize(value, { ...property, name, required: false }, NO_REFERENCES);
}
