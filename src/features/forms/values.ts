import { mailing, type StoredFile } from '#core';
import type { FieldProblem } from '#lib/errors';
import { isJsonObject, tokenOf } from '#lib/json-object';
import { parseBoolean, parseNumber } from '#lib/schema/parse-text';
import { parseInstant } from '#lib/time/iso-date';
import type { FormField } from './fields.ts';
import { parseUploads, UnfitFile, type Upload } from './uploads.ts';

/** The stored value of a field. A file is stored as its description, with its bytes in the blob store. */
export type FormValue = string | number | boolean | string[] | StoredFile[];

/** The checked values of a submission by the ids of their fields, and files that are not stored yet. */
export type CheckedValues = { values: Map<string, FormValue>; uploads: Map<string, Upload[]> };

/** Maximum length of one text in characters, and maximum number of choices of one field. */
const MAX_TEXT = 50_000;
const MAX_CHOICES = 500;
/** Maximum length of all values of one submission, in characters. */
const MAX_ALL = 100_000;
/** Maximum length of the repeated part of an unknown name. */
const MAX_SHOWN_NAME = 100;

/** Thrown for an invalid value of a field; the message says which values are valid. */
class Unfit extends Error {}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.every(isEmpty)) ||
  (isJsonObject(value) && Object.keys(value).length === 0);

function text(value: unknown, { minLength = 0, maxLength: own = MAX_TEXT }: FormField): string {
  const sent = typeof value === 'number' ? String(value) : value;
  if (typeof sent !== 'string') throw new Unfit('Must be a text.');
  if (sent.includes('\u0000') || !sent.isWellFormed()) throw new Unfit('Has characters that are not allowed here.');
  const maxLength = Math.min(own, MAX_TEXT);
  if (sent.length > maxLength) throw new Unfit(`Is longer than ${maxLength} characters.`);
  if (sent.length < minLength) throw new Unfit(`Is shorter than ${minLength} characters.`);
  return sent;
}

function number(value: unknown, { form, minimum, maximum }: FormField): number {
  const sent = typeof value === 'string' ? parseNumber(value) : value;
  if (typeof sent !== 'number' || !Number.isFinite(sent)) throw new Unfit('Must be a number.');
  if (form === 'integer' && !Number.isSafeInteger(sent)) throw new Unfit('Must be an integer.');
  if (minimum !== undefined && sent < minimum) throw new Unfit(`Must be at least ${minimum}.`);
  if (maximum !== undefined && sent > maximum) throw new Unfit(`Must be at most ${maximum}.`);
  return sent;
}

function boolean(value: unknown, { required }: FormField): boolean {
  const sent = typeof value === 'string' ? parseBoolean(value) : value;
  if (typeof sent !== 'boolean') throw new Unfit('Must be true or false.');
  // A box that has to be ticked, such as for terms of use.
  if (required && !sent) throw new Unfit('Is required.');
  return sent;
}

function moment(value: unknown, field: FormField): string {
  const sent = text(value, field).trim();
  if (parseInstant(sent) !== undefined) return sent;
  throw new Unfit(
    field.form === 'date'
      ? 'Is not a date, such as 2026-05-01.'
      : 'Is not a date and time, such as 2026-05-01T10:00:00Z.',
  );
}

function time(value: unknown, field: FormField): string {
  const sent = text(value, field).trim();
  const [, hour, minute, second = '0'] = /^(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?$/.exec(sent) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    throw new Unfit('Is not a time of day, such as 10:30:00.');
  return sent;
}

function address(value: unknown, field: FormField): string {
  const sent = text(value, field).trim();
  if (!mailing.isPlausibleAddress(sent)) throw new Unfit('Is not an e-mail address.');
  return sent;
}

function url(value: unknown, field: FormField): string {
  const sent = text(value, field).trim();
  if (!/^https?:\/\/\S+$/i.test(sent) || !URL.canParse(sent))
    throw new Unfit('Must be an address of the web, beginning with https:// or http://.');
  return sent;
}

function choice(value: unknown, field: FormField): string {
  const token = typeof value === 'number' ? String(value) : tokenOf(value);
  const sent = text(token, field);
  if (field.choices && !field.choices.has(sent)) throw new Unfit('Is none of the choices.');
  return sent;
}

function choices(value: unknown, field: FormField): string[] {
  const items = (Array.isArray(value) ? value : [value]).filter((item) => !isEmpty(item));
  if (items.length > MAX_CHOICES) throw new Unfit(`Has more than ${MAX_CHOICES} items.`);
  return [...new Set(items.map((item) => choice(item, field)))];
}

/** Parses the value of a field without files for storage. Throws Unfit. */
function parseValue(value: unknown, field: FormField): FormValue {
  switch (field.form) {
    case 'email':
      return address(value, field);
    case 'url':
      return url(value, field);
    case 'number':
    case 'integer':
      return number(value, field);
    case 'boolean':
      return boolean(value, field);
    case 'date':
    case 'datetime':
      return moment(value, field);
    case 'time':
      return time(value, field);
    case 'choice':
      return choice(value, field);
    case 'choices':
      return choices(value, field);
    case 'hidden':
      return typeof value === 'boolean' ? value : text(value, field);
    default:
      return text(value, field);
  }
}

/**
 * Parses the sent data to pairs of a field's id and its value: from an object by ids or a list of `{field_id, value}`, and from files, which a block
 * with a list of fields sends separately. An empty value without an id is skipped; any other value without an id is a problem.
 */
export function pairsOf(data: unknown, attachments: unknown): { pairs: [string, unknown][]; problems: FieldProblem[] } {
  const problems: FieldProblem[] = [];
  const pairs: [string, unknown][] = [];
  const take = (id: unknown, value: unknown, where: string): void => {
    if (typeof id === 'string' && id !== '') pairs.push([id, value]);
    else if (!isEmpty(value)) problems.push({ field: where, message: 'must name a field' });
  };
  if (Array.isArray(data)) {
    for (const [at, item] of data.entries()) {
      if (isJsonObject(item)) take(item.field_id, item.value, `data.${at}`);
      else problems.push({ field: `data.${at}`, message: 'must be an object with field_id and value' });
    }
  } else if (isJsonObject(data)) for (const [name, value] of Object.entries(data)) pairs.push([name, value]);
  if (isJsonObject(attachments)) {
    for (const [name, file] of Object.entries(attachments))
      if (isJsonObject(file)) take(file.field_id ?? name, file, `attachments.${name.slice(0, MAX_SHOWN_NAME)}`);
      else problems.push({ field: `attachments.${name.slice(0, MAX_SHOWN_NAME)}`, message: 'must be an object' });
  }
  return { pairs, problems };
}

/**
 * Checks a submission against the fields of a form: required fields, kinds, choices, lengths, and unknown names. `ignored` are names that clients
 * send although they are no fields. Returns all problems, or the checked values.
 */
export function checkValues(
  fields: readonly FormField[],
  sent: { data: unknown; attachments: unknown },
  ignored: ReadonlySet<string>,
): CheckedValues | { problems: FieldProblem[] } {
  const byId = new Map(fields.map((field) => [field.id, field]));
  const { pairs, problems } = pairsOf(sent.data, sent.attachments);
  const checked: CheckedValues = { values: new Map(), uploads: new Map() };
  const seen = new Set<string>();
  for (const [id, value] of pairs) {
    const field = byId.get(id);
    if (field?.form === 'none' || ignored.has(id) || (isEmpty(value) && field?.form !== 'boolean')) continue;
    const name = id.slice(0, MAX_SHOWN_NAME).toWellFormed();
    if (!field) problems.push({ field: name, message: 'Is no field of this form.' });
    else if (seen.has(id)) problems.push({ field: name, message: 'Is sent twice.' });
    else if (field.form === 'boolean' && isEmpty(value)) continue;
    else {
      seen.add(id);
      try {
        if (field.form === 'file') checked.uploads.set(id, parseUploads(value, name));
        else checked.values.set(id, parseValue(value, field));
      } catch (error) {
        if (!(error instanceof Unfit) && !(error instanceof UnfitFile)) throw error;
        problems.push({ field: name, message: error.message });
      }
    }
  }
  for (const { id, required } of fields)
    if (required && !seen.has(id)) problems.push({ field: id, message: 'Is required.' });
  const maxLength = MAX_ALL;
  if (JSON.stringify([...checked.values.values()]).length > maxLength)
    problems.push({ field: 'data', message: `Is longer than ${maxLength} characters.` });
  return problems.length > 0 ? { problems } : checked;
}
