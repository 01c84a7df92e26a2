import { FieldError, type FieldKind, type FieldKinds, fieldValues, NO_REFERENCES, type Property } from '#core';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { parseVocabulary, withSource } from './edit-choices.ts';
import { parseGroupSchema } from './edit-group.ts';
import {
  conflictingRules,
  withFlag,
  withMode,
  without,
  withPattern,
  withPermission,
  withSharing,
  withUnique,
} from './edit-rules.ts';

const MAX_TITLE_LENGTH = 200;
const MAX_TEXT_LENGTH = 2000;
const MAX_OPTIONS_LENGTH = 20_000;

/** The context that `parseProperty` needs beside the body. */
export type PropertyContext = {
  name: string;
  kinds: FieldKinds;
  /** Takes a problem with one setting. */
  report: (setting: string, message: string) => void;
  /** The number of groups of fields around it. */
  depth?: number;
  /** The text that a client means in place of the stored one, see `Messages.matchedText`. */
  matched: (sent: string, stored: string | undefined) => string;
};

/** A title: a text that is not empty. Throws FieldError. */
export function parseTitle(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_TITLE_LENGTH)
    throw new FieldError(`Must be a text of up to ${MAX_TITLE_LENGTH} characters, and not be empty.`);
  return value.trim();
}

/** A text for people, which may be empty. Throws FieldError. */
export function parseDescription(value: unknown): string {
  if (value === null) return '';
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH)
    throw new FieldError(`Must be a text of up to ${MAX_TEXT_LENGTH} characters.`);
  return value;
}

/** The field before its settings: the stored one, or one of the kind that the client names. Throws FieldError. */
function begin({ factory }: JsonObject, now: Property | undefined, kinds: FieldKinds): Property {
  const made = kinds.factory(factory);
  if (!now) {
    if (factory === undefined) throw new FieldError("Missing parameter: 'factory'. It is the kind of the field.");
    if (!made)
      throw new FieldError(
        `There is no such factory. Use one of: ${kinds.factories.map(({ name }) => name).join(', ')}.`,
      );
    return { title: '', description: '', factory: made.name, ...made.property };
  }
  if (factory !== undefined && factory !== now.factory && made?.name !== now.factory)
    throw new FieldError(`The factory stays "${now.factory}". Add a field of another name for another kind.`);
  return now;
}

/** Another editor in forms; it must not make another kind of the field. Throws FieldError. */
function withWidget(value: unknown, property: Property, { kinds }: PropertyContext): Property {
  if (value !== null && (typeof value !== 'string' || value.length > 100 || value === ''))
    throw new FieldError('Must be the name of a widget.');
  const next = value === null ? without(property, 'widget') : { ...property, widget: value };
  if (!kinds.agree(next, property))
    throw new FieldError('This widget is one for another kind of field. Add a field of that kind.');
  return next;
}

/** Further settings of the form. Throws FieldError. */
function withOptions(value: unknown, property: Property): Property {
  if (value === null) return without(property, 'widgetOptions');
  if (!isJsonObject(value) || JSON.stringify(value).length > MAX_OPTIONS_LENGTH)
    throw new FieldError(`Must be an object of up to ${MAX_OPTIONS_LENGTH} characters.`);
  const { vocabulary } = value;
  return {
    ...property,
    widgetOptions: { ...value, ...(vocabulary !== undefined && { vocabulary: parseVocabulary(vocabulary) }) },
  };
}

/** An index or a column of the catalog, as it is: the catalog of the site says whether it can be. Throws FieldError. */
function withDeclaration(setting: 'index' | 'column', value: unknown, property: Property): Property {
  if (value === null) return without(property, setting);
  if (setting === 'column') {
    if (typeof value !== 'boolean') throw new FieldError('Must be true or false.');
    return { ...property, column: value };
  }
  if (typeof value === 'string') return { ...property, index: value };
  if (!isJsonObject(value) || typeof value.kind !== 'string')
    throw new FieldError('Must be the kind of an index, or an object with its kind.');
  return { ...property, index: { ...value, kind: value.kind } };
}

/** A default in its stored form, which must be a value of the field. Throws FieldError. */
function withDefault(value: unknown, property: Property, { kinds, name }: PropertyContext): Property {
  const field = { ...property, name, required: false };
  const kind = kinds.of(field);
  if (value === null || value === '') return without(property, 'default');
  if (kind.holds) throw new FieldError('A file cannot be a default.');
  const stored = kind.deserialize(value, field, NO_REFERENCES);
  return stored === null ? without(property, 'default') : { ...property, default: stored };
}

/** The limits that kinds of fields may set, each with its lower and its upper one. */
const PAIRS = {
  length: ['minLength', 'maxLength'],
  items: ['minItems', 'maxItems'],
  integer: ['minimum', 'maximum'],
  number: ['minimum', 'maximum'],
} as const satisfies Record<NonNullable<FieldKind['limits']>, readonly [keyof Property, keyof Property]>;
type Limit = (typeof PAIRS)[NonNullable<FieldKind['limits']>][number];
const LIMITS: readonly Limit[] = [...PAIRS.length, ...PAIRS.number, ...PAIRS.items];

/** A limit as a client sent it: a number, or a text that is one; undefined for none. Throws FieldError. */
function parseLimit(
  name: Limit,
  value: unknown,
  { factory }: Property,
  limits: NonNullable<FieldKind['limits']> | undefined,
): number | undefined {
  if (value === null || value === '') return undefined;
  if (!limits || !PAIRS[limits].some((limit) => limit === name))
    throw new FieldError(`A field of the kind "${factory}" has no ${name}.`);
  const number = typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new FieldError('Must be a number.');
  if (limits !== 'number' && !Number.isSafeInteger(number)) throw new FieldError('Must be an integer.');
  if (limits !== 'number' && limits !== 'integer' && number < 0) throw new FieldError('Must not be negative.');
  return number;
}

/** The lower limit that is above its upper one; undefined when all go together. */
const crossedLimit = (property: Property): Limit | undefined =>
  Object.values(PAIRS).find(
    ([low, high]) => (property[low] ?? Number.NEGATIVE_INFINITY) > (property[high] ?? Number.POSITIVE_INFINITY),
  )?.[0];

type Parser = [keyof Property, (value: unknown, property: Property, context: PropertyContext) => Property];

/** How each setting is read, in the order in which they depend on each other. */
const PARSERS: readonly Parser[] = [
  ['title', (value, property, { matched }) => ({ ...property, title: matched(parseTitle(value), property.title) })],
  [
    'description',
    (value, property, { matched }) => ({
      ...property,
      description: matched(parseDescription(value), property.description),
    }),
  ],
  ['widget', withWidget],
  ['widgetOptions', withOptions],
  ['pattern', (value, property, { kinds }) => withPattern(value, property, kinds)],
  ['unique', (value, property, { kinds }) => withUnique(value, property, kinds)],
  ['read_permission', (value, property, { name }) => withPermission('read_permission', value, property, name)],
  ['write_permission', (value, property, { name }) => withPermission('write_permission', value, property, name)],
  ['mode', withMode],
  ['readonly', (value, property) => withFlag('readonly', value, property)],
  ['writeOnly', (value, property) => withFlag('writeOnly', value, property)],
  ['multilingual_options', withSharing],
  ['index', (value, property) => withDeclaration('index', value, property)],
  ['column', (value, property) => withDeclaration('column', value, property)],
  ...LIMITS.map(
    (limit): Parser => [
      limit,
      (value, property, { kinds }) => {
        const read = parseLimit(limit, value, property, kinds.of(property).limits);
        return read === undefined ? without(property, limit) : { ...property, [limit]: read };
      },
    ],
  ),
];

/**
 * Settings without an effect here: they are read elsewhere, or follow from others, and clients send them back as they got them.
 * `values` and `parentFieldSet` are of the schema editor of Volto.
 */
const OTHER_SETTINGS: ReadonlySet<string> = new Set([
  ...['id', 'name', 'factory', 'required', 'default', 'type', 'behavior', 'items', 'choices', 'values', 'vocabulary'],
  ...['enum', 'enumNames', 'uniqueItems', 'additionalItems', 'allowed_mime_types', 'default_mime_type'],
  ...['@id', '@type', 'parentFieldSet', 'parentFieldset', 'fieldset'],
]);

/** The further settings of groups: the fields inside, in two forms. */
const GROUP_SETTINGS: ReadonlySet<string> = new Set(['schema', 'properties']);

/** The names of settings in a body that do not exist. */
const unknownSettings = (sent: JsonObject, isGroup: boolean): string[] =>
  Object.keys(sent).filter(
    (name) =>
      !OTHER_SETTINGS.has(name) &&
      !(isGroup && GROUP_SETTINGS.has(name)) &&
      !PARSERS.some(([setting]) => setting === name),
  );

/**
 * A field as a client describes it, over what it is now; undefined when something is wrong, which is reported. Settings that
 * are not sent stay, null removes one. What follows from others (`type`, `behavior`, `enum`) is passed over: clients send
 * back what they were given.
 */
export function parseProperty(
  sent: JsonObject,
  now: Property | undefined,
  context: PropertyContext,
): Property | undefined {
  let failed = false;
  const report = (setting: string, message: string): void => {
    failed = true;
    context.report(setting, message);
  };
  const begun = fieldValues.attempt('factory', () => begin(sent, now, context.kinds), report);
  const isGroup = begun !== undefined && context.kinds.isGroup(begun);
  for (const name of unknownSettings(sent, isGroup)) report(name.slice(0, 100), 'Is no key that Canopy knows.');
  if (!begun) return undefined;
  let property = begun;
  const change = (setting: string, work: (property: Property) => Property): void => {
    // A place inside of a default is said in the message: the default is one setting.
    const reportSetting = (place: string, message: string) =>
      report(setting, place === setting ? message : `${place.slice(setting.length + 1)}: ${message}`);
    property = fieldValues.attempt(setting, () => work(property), reportSetting) ?? property;
  };
  for (const [setting, read] of PARSERS) {
    const value = sent[setting];
    if (value !== undefined || (setting === 'title' && !now)) change(setting, (before) => read(value, before, context));
  }
  if (isGroup) {
    const depth = (context.depth ?? 0) + 1;
    const schema = parseGroupSchema(sent, now?.schema, {
      ...{ kinds: context.kinds, depth, report: context.report },
      parse: (member, known, place) => parseProperty(member, known, { ...context, ...place, depth }),
    });
    if (schema) property = { ...property, schema };
    else failed = true;
  }
  if (context.kinds.of(property).chooses) change('choices', (chosen) => withSource(sent, chosen));
  const crossed = crossedLimit(property);
  if (crossed) report(crossed, 'Must not be more than the upper limit.');
  const problem = conflictingRules(property);
  if (problem !== undefined) report('unique', problem);
  const wanted = sent.default === undefined ? property.default : sent.default;
  // A default within the old limits may be outside the new ones.
  if (!failed && wanted !== undefined) change('default', (limited) => withDefault(wanted, limited, context));
  return failed ? undefined : property;
}
