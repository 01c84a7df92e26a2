/** The body of a form: the fields that were changed, files in their own way. */

import { changedFields } from '../form/changes.ts';
import { type FormSchema, sendable, type Values } from '../form/schema.ts';
import { placeOf } from './object.ts';

/** Fields that no form sends: the site sets them. */
const isSent = (schema: FormSchema, name: string): boolean => schema.properties[name]?.readonly !== true;

/** The changed fields that are not files, as the site takes them. */
export function changesOf(schema: FormSchema, before: Values, now: Values): Record<string, unknown> {
  const names = changedFields(before, now).filter((name) => isSent(schema, name) && !(now[name] instanceof File));
  return Object.fromEntries(names.map((name) => [name, sendable(schema.properties[name] ?? {}, now[name])]));
}

/** The files that were chosen, by their fields. */
const filesOf = (values: Values): [string, File][] =>
  Object.entries(values).flatMap(([name, value]): [string, File][] => (value instanceof File ? [[name, value]] : []));

async function base64Of(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(',') + 1);
}

/** A file as a member of a body. */
const inBody = async (file: File): Promise<object> => ({
  data: await base64Of(file),
  encoding: 'base64',
  filename: file.name,
  'content-type': file.type || 'application/octet-stream',
});

/** The files of a new object as members of its body. */
export const filesInBody = async (values: Values): Promise<Record<string, object>> =>
  Object.fromEntries(
    await Promise.all(filesOf(values).map(async ([name, file]) => [name, await inBody(file)] as const)),
  );

/** Saves a form: the fields in one change that the entity tag guards, then each file in pieces. Returns the new address of the object. */
export async function saveForm(
  path: string,
  schema: FormSchema,
  before: Values,
  now: Values,
): Promise<string | undefined> {
  const changes = changesOf(schema, before, now);
  const files = await filesInBody(now);
  if (Object.keys(changes).length + Object.keys(files).length === 0) return undefined;
  const saved = await placeOf(path).update({ ...changes, ...files });
  return saved['@id'];
}
