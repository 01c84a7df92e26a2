import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Property } from '../definition.ts';
import { attempt } from '../field-input.ts';
import { FieldError } from '../field-kind.ts';
import type { FieldKinds } from '../field-kinds.ts';
import { parseVocabulary, withSource } from './parse-choices.ts';
import { parseGroupSchema } from './parse-group.ts';
import {
  FIELD_SETTINGS,
  isProperty,
  LIMITS,
  parseDescription,
  parseTitle,
  settingProblems,
  storedDefault,
} from './settings.ts';

/** The context that `parseProperty` needs beside the body. */
export type PropertyContext = {
  name: string;
  kinds: FieldKinds;
  /** Takes a problem with one setting. */
  report: (setting: string, message: string) => void;
  /** The number of groups of fields around it. */
  depth?: number;
  /** The text to store for a text that a client sent, see `Messages.matchedText`. */
  matched: (sent: string, stored: string | undefined) => string;
};

/** The field before its settings: the stored field, or a new field of the kind that the client names. Throws FieldError. */
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

/** A limit that a form sends as a text. */
const parseLimit = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;

const withoutFalse = (value: unknown): unknown => (value === false ? undefined : value);
const withoutEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/**
 * The stored forms of values that clients send for settings; undefined removes a setting. Settings without an entry are sent in their stored form.
 */
const STORED_FORMS: Readonly<Record<string, (value: unknown) => unknown>> = {
  title: parseTitle,
  description: parseDescription,
  widgetOptions: (value) =>
    isJsonObject(value) && value.vocabulary !== undefined
      ? { ...value, vocabulary: parseVocabulary(value.vocabulary) }
      : value,
  pattern: withoutEmpty,
  unique: withoutFalse,
  read_permission: withoutEmpty,
  write_permission: withoutEmpty,
  readonly: withoutFalse,
  writeOnly: withoutFalse,
  multilingual_options: (value) =>
    isJsonObject(value) ? { language_independent: value.language_independent ?? false } : value,
  ...Object.fromEntries(LIMITS.map((name) => [name, (value: unknown) => parseLimit(withoutEmpty(value))])),
};

/**
 * Settings that are ignored here: other code parses them, or they follow from other settings, and clients send them back. `values` and
 * `parentFieldSet` are from the schema editor of Volto.
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
      !OTHER_SETTINGS.has(name) && !(isGroup && GROUP_SETTINGS.has(name)) && !Object.hasOwn(FIELD_SETTINGS, name),
  );

/** The settings that people read. */
const TEXTS: ReadonlySet<string> = new Set(['title', 'description']);

/** The settings of a field with the settings that a client sent, in their stored form. */
function withSettings(sent: JsonObject, begun: Property, { matched, report }: PropertyContext): JsonObject {
  const field: JsonObject = { ...begun };
  const known: JsonObject = begun;
  for (const setting of Object.keys(FIELD_SETTINGS)) {
    const value = sent[setting];
    if (value === undefined || OTHER_SETTINGS.has(setting)) continue;
    const read = STORED_FORMS[setting] ?? ((same: unknown) => same);
    const stored = value === null && !TEXTS.has(setting) ? undefined : attempt(setting, () => read(value), report);
    const before = known[setting];
    if (stored === undefined) delete field[setting];
    else if (TEXTS.has(setting) && typeof stored === 'string')
      field[setting] = matched(stored, typeof before === 'string' ? before : undefined);
    else field[setting] = stored;
  }
  return field;
}

/**
 * Parses a field that a client sent, over its present definition. Reports problems, and then returns undefined. Settings that are not sent stay, null
 * removes a setting. Derived settings (`type`, `behavior`, `enum`) are ignored, because clients send them back.
 */
export function parseProperty(
  sent: JsonObject,
  now: Property | undefined,
  context: PropertyContext,
): Property | undefined {
  const { kinds, name } = context;
  let failed = false;
  const report = (setting: string, message: string): void => {
    failed = true;
    context.report(setting, message);
  };
  const begun = attempt('factory', () => begin(sent, now, kinds), report);
  const isGroup = begun !== undefined && kinds.isGroup(begun);
  for (const unknown of unknownSettings(sent, isGroup)) report(unknown.slice(0, 100), 'Is no key that Canopy knows.');
  if (!begun) return undefined;
  let field = withSettings(sent, begun, { ...context, report });
  const { widget } = field;
  const marked: Property = { ...begun, ...(typeof widget === 'string' && { widget }) };
  if (!kinds.agree(marked, begun))
    report('widget', 'This widget is one for another kind of field. Add a field of that kind.');
  if (isGroup) {
    const depth = (context.depth ?? 0) + 1;
    const schema = parseGroupSchema(sent, now?.schema, {
      ...{ kinds, depth, report },
      parse: (member, known, place) => parseProperty(member, known, { ...context, ...place, depth }),
    });
    if (!schema) return undefined;
    marked.schema = schema;
  }
  const kind = kinds.of(marked);
  if (kind.chooses) field = attempt('choices', () => withSource(sent, field), report) ?? field;
  const { factory, type, schema } = marked;
  const whole = { ...field, factory, type, ...(schema && { schema }) };
  // Problems of stored settings do not prevent changes of other settings.
  const stored: JsonObject = now ?? {};
  const before = now ? settingProblems(kinds.of(now), name, now) : [];
  for (const { field: setting = '', message } of settingProblems(kind, name, whole)) {
    const isSame = ['items', setting].every((key) => isDeepStrictEqual(stored[key], field[key]));
    if (!isSame || !before.some((old) => old.field === setting && old.message === message)) report(setting, message);
  }
  if (failed || !isProperty(whole)) return undefined;
  // A default within the old limits may be outside the new ones.
  const wanted = { ...whole, default: sent.default === undefined ? whole.default : sent.default };
  // The message has the place inside of a default, because the default is one setting.
  const reportDefault = (place: string, message: string) =>
    report('default', place === 'default' ? message : `${place.slice('default.'.length)}: ${message}`);
  const initial = attempt('default', () => storedDefault(kinds, name, wanted), reportDefault);
  if (failed) return undefined;
  const { default: _before, ...rest } = whole;
  return initial === null ? rest : { ...rest, default: initial };
}
