import { isJsonObject, type JsonObject, textOf, tokenOf } from '#lib/json-object';

/** The form of a field's value. `none` is for a field that has no value and only shows something. */
type FieldForm =
  | 'text'
  | 'email'
  | 'url'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'choice'
  | 'choices'
  | 'file'
  | 'hidden'
  | 'none';

/** A field of a form, as its block describes it. */
export type FormField = {
  id: string;
  label: string;
  /** Its column in exports; the label unless the block names another. */
  column: string;
  form: FieldForm;
  required: boolean;
  /** Titles of the choices, by token; undefined if the block names no choices, which allows any text. */
  choices: ReadonlyMap<string, string> | undefined;
  minLength: number | undefined;
  maxLength: number | undefined;
  minimum: number | undefined;
  maximum: number | undefined;
  /** True if replies to the mails of the form go to the address in this field. */
  replyTo: boolean;
  /** True if a copy of the mail goes to the address in this field. */
  copyTo: boolean;
};

/** Longest label, in characters: longer ones are cut. */
const MAX_LABEL = 500;
/** Maximum number of fields of a form that are read. */
const MAX_FIELDS = 500;

/** Forms by the factories of schemas (volto-form-block, `schemaForm`), in lower case. */
const BY_FACTORY: Readonly<Record<string, FieldForm>> = {
  label_boolean_field: 'boolean',
  'yes/no': 'boolean',
  termsaccepted: 'boolean',
  label_email: 'email',
  email: 'email',
  url: 'url',
  label_integer_field: 'integer',
  integer: 'integer',
  label_float_field: 'number',
  'floating-point number': 'number',
  number: 'number',
  label_date_field: 'date',
  date: 'date',
  label_datetime_field: 'datetime',
  'date/time': 'datetime',
  time: 'time',
  label_choice_field: 'choice',
  choice: 'choice',
  radio_group: 'choice',
  label_multi_choice_field: 'choices',
  'multiple choice': 'choices',
  checkbox_group: 'choices',
  'file upload': 'file',
  file: 'file',
  image: 'file',
  hidden: 'hidden',
  static_text: 'none',
};

/** Forms by widgets, for fields whose factory says nothing. */
const BY_WIDGET: Readonly<Record<string, FieldForm>> = {
  email: 'email',
  url: 'url',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  radio_group: 'choice',
  select: 'choice',
  checkbox_group: 'choices',
  file: 'file',
  hidden: 'hidden',
  static_text: 'none',
};

/** Forms by the types of JSON Schema, for fields that say nothing else. */
const BY_TYPE: Readonly<Record<string, FieldForm>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  array: 'choices',
  object: 'file',
};

/** Forms of the fields of volto-form-block's list of fields (`form`). */
const BY_FIELD_TYPE: Readonly<Record<string, FieldForm>> = {
  number: 'number',
  select: 'choice',
  single_choice: 'choice',
  multiple_choice: 'choices',
  checkbox: 'boolean',
  date: 'date',
  attachment: 'file',
  from: 'email',
  email: 'email',
  static_text: 'none',
  hidden: 'hidden',
};

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** A whole number of a schema, whose editor stores numbers as texts. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The token and the title of a choice: `"a"`, `["a", "A"]`, `{"value": "a", "label": "A"}`, `{"token": "a", "title": "A"}`. */
function choiceOf(item: unknown): [token: string, title: string] | undefined {
  if (Array.isArray(item)) {
    const [token] = choiceOf(item[0]) ?? [];
    return token === undefined ? undefined : [token, titleOr(item[1], token)];
  }
  if (typeof item === 'number') return [String(item), String(item)];
  const token = isJsonObject(item) && typeof item.value === 'string' ? item.value : tokenOf(item);
  if (token === undefined) return undefined;
  return [token, isJsonObject(item) ? titleOr(item.label, titleOr(item.title, token)) : token];
}

/** The title in the block, or `token` without one. */
const titleOr = (title: unknown, token: string): string =>
  textOf(title).trim().slice(0, MAX_LABEL).toWellFormed() || token;

const listOf = (value: unknown): unknown[] | undefined =>
  Array.isArray(value) && value.length > 0 ? value : undefined;

const titlesOf = (items: readonly unknown[]): Map<string, string> =>
  new Map(items.map(choiceOf).filter((choice) => choice !== undefined));

/** Choices by token. JSON Schema has the titles of `enum` in a list of their own (`enumNames`). */
function choicesOf({ choices, values, enum: tokens, enumNames, items }: JsonObject): Map<string, string> | undefined {
  const listed = listOf(choices) ?? listOf(values);
  if (listed) return titlesOf(listed);
  const names = listOf(enumNames) ?? [];
  const found = listOf(tokens)?.map((token, at) => [token, names[at]]);
  return found ? titlesOf(found) : isJsonObject(items) ? choicesOf({ ...items, items: undefined }) : undefined;
}

/** The title of a sent choice; the value itself if the field has no such choice. */
export const choiceTitle = ({ choices }: Pick<FormField, 'choices'>, token: string): string =>
  choices?.get(token) ?? token;

/** The factory of a property: a name, or a choice of the schema editor (`{label, value}`). */
const factoryOf = ({ factory }: JsonObject): string =>
  textOf(isJsonObject(factory) ? factory.value : factory).toLowerCase();

function formOfProperty(property: JsonObject): FieldForm {
  const choices = choicesOf(property);
  const form =
    own(BY_FACTORY, factoryOf(property)) ??
    own(BY_WIDGET, textOf(property.widget)) ??
    own(BY_TYPE, textOf(property.type)) ??
    (property.format === 'email' ? 'email' : choices ? 'choice' : 'text');
  return form;
}

const labelOf = (text: unknown, id: string): string => (textOf(text).trim() || id).slice(0, MAX_LABEL).toWellFormed();

/** The widget of a captcha is no field: its response is sent beside the data. */
const CAPTCHA_FIELDS = new Set(['captchaWidget', 'captchaToken']);

/** The fields of a schema, in the order of its fieldsets, then the fields outside of fieldsets. */
export function schemaFields(schema: unknown): FormField[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return [];
  const { properties } = schema;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fieldsets = Array.isArray(schema.fieldsets) ? schema.fieldsets.filter(isJsonObject) : [];
  const listed = fieldsets.flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
  const ids = new Set([...listed, ...Object.keys(properties)].filter((id): id is string => typeof id === 'string'));
  return [...ids].slice(0, MAX_FIELDS).flatMap((id): FormField[] => {
    const property = Object.hasOwn(properties, id) ? properties[id] : undefined;
    if (!isJsonObject(property) || CAPTCHA_FIELDS.has(id)) return [];
    const form = formOfProperty(property);
    const label = labelOf(property.title, id);
    return [
      {
        id,
        label,
        column: label,
        form,
        required: required.includes(id) && form !== 'none',
        choices: form === 'choice' || form === 'choices' ? choicesOf(property) : undefined,
        minLength: numberOf(property.minLength),
        maxLength: numberOf(property.maxLength),
        minimum: numberOf(property.minimum),
        maximum: numberOf(property.maximum),
        replyTo: false,
        copyTo: false,
      },
    ];
  });
}

/**
 * The fields of a block `form`, which lists them in `subblocks`. A field with a condition is never required, because only the front end knows if it
 * was shown.
 */
export function listedFields(block: JsonObject): FormField[] {
  const subblocks = Array.isArray(block.subblocks) ? block.subblocks.filter(isJsonObject) : [];
  return subblocks.slice(0, MAX_FIELDS).flatMap((field): FormField[] => {
    const id = textOf(field.field_id) || textOf(field.id);
    if (id === '') return [];
    const form = own(BY_FIELD_TYPE, textOf(field.field_type)) ?? 'text';
    const label = labelOf(field.label, id);
    const conditional = Array.isArray(field.visibility_conditions) && field.visibility_conditions.length > 0;
    return [
      {
        id,
        label,
        column: Object.hasOwn(block, id) ? labelOf(block[id], label) : label,
        form,
        required: field.required === true && !conditional && form !== 'none',
        choices: form === 'choice' || form === 'choices' ? choicesOf({ choices: field.input_values }) : undefined,
        minLength: undefined,
        maxLength: undefined,
        minimum: undefined,
        maximum: undefined,
        replyTo: field.use_as_reply_to === true,
        copyTo: field.use_as_bcc === true,
      },
    ];
  });
}
