/** The description of a form, as types, control panels and users have it. */

import { say } from '../lib/say.ts';
import type { Values } from './changes.ts';

export type FieldSchema = {
  title?: string;
  description?: string;
  type?: string;
  factory?: string;
  widget?: string;
  mode?: string;
  behavior?: string;
  readonly?: boolean;
  writeOnly?: boolean;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  choices?: readonly (readonly [string, string])[];
  enum?: readonly string[];
  vocabulary?: { '@id': string };
  items?: FieldSchema;
  widgetOptions?: { vocabulary?: { '@id': string }; [option: string]: unknown };
  [keyword: string]: unknown;
};

export type FormSchema = {
  title?: string;
  required: readonly string[];
  fieldsets: readonly { id: string; title: string; fields: readonly string[] }[];
  properties: Readonly<Record<string, FieldSchema>>;
};

/** A text that somebody is writing and that is no JSON yet: it is shown, and cannot be sent. */
export class Unfinished {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type { Values };

/** The kinds of inputs. A kind of field that this page does not have is shown as JSON, so that each can be edited. */
export type InputKind =
  | 'line'
  | 'text'
  | 'password'
  | 'email'
  | 'url'
  | 'integer'
  | 'number'
  | 'yes-no'
  | 'date'
  | 'time'
  | 'choice'
  | 'choices'
  | 'lines'
  | 'object'
  | 'objects'
  | 'file'
  | 'rich-text'
  | 'json';

const isCatalog = (field: FieldSchema | undefined): boolean =>
  field?.vocabulary?.['@id'].endsWith('plone.app.vocabularies.Catalog') ?? false;

const BY_WIDGET: Readonly<Record<string, InputKind>> = {
  textarea: 'text',
  password: 'password',
  email: 'email',
  url: 'line',
  date: 'date',
  datetime: 'time',
  richtext: 'rich-text',
  json: 'json',
  token: 'lines',
};

const BY_FACTORY: Readonly<Record<string, InputKind>> = {
  Password: 'password',
  Email: 'email',
  Text: 'text',
  Date: 'date',
  'Date/Time': 'time',
  'Rich Text': 'rich-text',
  File: 'file',
  Image: 'file',
  'Relation Choice': 'object',
  'Relation List': 'objects',
  JSONField: 'json',
};

function kindOfList(field: FieldSchema): InputKind {
  const { items } = field;
  if (isCatalog(items) || isCatalog(field)) return 'objects';
  if (items?.choices || items?.vocabulary || field.vocabulary) return 'choices';
  return items === undefined || items.type === 'string' ? 'lines' : 'json';
}

/** The input for a field: by its widget, its factory, then the type of its values. */
export function kindOf(field: FieldSchema): InputKind {
  const { type, factory = '', widget = '' } = field;
  if (BY_FACTORY[factory] === 'object' || BY_FACTORY[factory] === 'objects') return BY_FACTORY[factory];
  const byWidget = BY_WIDGET[widget];
  if (byWidget !== undefined) return byWidget;
  if (type === 'array') return kindOfList(field);
  if (field.choices || field.vocabulary) return isCatalog(field) ? 'object' : 'choice';
  const byFactory = BY_FACTORY[factory];
  if (byFactory !== undefined) return byFactory;
  if (type === 'boolean') return 'yes-no';
  if (type === 'integer' || type === 'number') return type;
  return type === 'string' ? 'line' : 'json';
}

/** Says if a form shows a field. */
export const isShown = (field: FieldSchema | undefined): field is FieldSchema =>
  field !== undefined && field.mode !== 'hidden';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A choice as it is sent: the site returns it with its title. */
const tokenOf = (value: unknown): unknown => (isRecord(value) && 'token' in value ? value.token : value);

/** A value of a form as it is edited and sent, made of one that the site has returned. */
function editable(field: FieldSchema, value: unknown): unknown {
  switch (kindOf(field)) {
    case 'choice':
      return tokenOf(value) ?? null;
    case 'choices':
    case 'lines':
      return Array.isArray(value) ? value.map(tokenOf) : [];
    case 'rich-text':
      return isRecord(value) ? value : { data: typeof value === 'string' ? value : '', 'content-type': 'text/html' };
    default:
      return value ?? null;
  }
}

/** A reference to content as it is sent. */
const referenceOf = (value: unknown): unknown => (isRecord(value) ? (value.UID ?? value['@id']) : value);

/** A value as the site takes it. Throws for a text that is no JSON yet. */
export function sendable(field: FieldSchema, value: unknown): unknown {
  if (value instanceof Unfinished)
    throw new Error(say('This is not JSON yet: {reason}', { reason: field.title ?? '' }));
  switch (kindOf(field)) {
    case 'object':
      return referenceOf(value) ?? null;
    case 'objects':
      return Array.isArray(value) ? value.map(referenceOf) : [];
    case 'file':
      // A file that the site has stays: what stands beside its bytes is sent alone.
      return isRecord(value) && 'download' in value
        ? { focal_point: value.focal_point ?? null, crops: value.crops ?? null }
        : value;
    default:
      return value;
  }
}

/** The values of all fields of a form: those that the site has returned, or the defaults. */
export function formValues(schema: FormSchema, stored: Values | undefined): Values {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [
      name,
      editable(field, stored && name in stored ? stored[name] : stored ? null : field.default),
    ]),
  );
}
