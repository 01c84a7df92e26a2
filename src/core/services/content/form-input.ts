import { BadRequest } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import { countValues, MAX_VALUES } from '../../../lib/schema/bounded-json.ts';
import { parseBoolean } from '../../../lib/schema/parse-text.ts';
import { requireFileField, typeForFile } from '../../content/file-types.ts';
import { sniffStored } from '../../content/prepare-files.ts';
import type { ContentType, Field } from '../../types/content-type.ts';
import { ReceivedBytes } from '../../types/field-kind.ts';
import type { FieldKinds } from '../../types/field-kinds.ts';
import type { RequestContext } from '../service.ts';

/** A file among the values of a form. */
const isFile = (value: unknown): value is { data: ReceivedBytes; filename: string; 'content-type': string } =>
  isJsonObject(value) && value.data instanceof ReceivedBytes;

/** Types of fields whose values are no texts in JSON. */
const STRUCTURES = new Set(['object', 'dict', 'array']);

/** Says if a text of a form is JSON for a field. */
const isStructure = (text: string, field: Field | undefined): boolean =>
  STRUCTURES.has(field?.type ?? '') && /^\s*[[{]/.test(text);

/** The value of a field that a text of a form stands for: forms have texts only. */
function meantBy(name: string, text: string, field: Field | undefined): unknown {
  if (!field || field.type === 'string') return text;
  if (text === '') return null;
  if (field.type === 'boolean') return parseBoolean(text) ?? text;
  if (!isStructure(text, field)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new BadRequest(`The text of "${name.slice(0, 100)}" is not JSON.`);
  }
}

/** Converts the values of a form to JSON. A part `file` is the file of the type's own field for files, whatever the name of the field. */
function inputOf(kinds: FieldKinds, type: ContentType, form: JsonObject): JsonObject {
  let values = 0;
  const entries = Object.entries(form).map(([name, value]): [string, unknown] => {
    const field = type.fieldByName.get(name);
    if (isFile(value)) return [requireFileField(kinds, type, name === 'file' && !field ? undefined : name).name, value];
    if (typeof value !== 'string') return [name, value];
    if (isStructure(value, field)) values = countValues(value, MAX_VALUES, values);
    return [name, meantBy(name, value, field)];
  });
  const twice = entries.find(([name], i) => entries.findIndex(([other]) => other === name) !== i)?.[0];
  if (twice !== undefined) throw new BadRequest(`The form has two values for "${twice.slice(0, 100)}".`);
  return Object.fromEntries(entries);
}

/** The body of a form that creates content: without `@type` the media type of the first file decides. */
export async function creationForm(
  { kernel, site, caller, resolved }: RequestContext,
  form: JsonObject,
): Promise<JsonObject> {
  const [file] = Object.values(form).filter(isFile);
  const declared = form['@type'];
  const id =
    declared === undefined && file
      ? typeForFile(
          site,
          caller,
          resolved,
          await sniffStored(kernel.blobs, file.data, file['content-type'], file.filename),
        )
      : declared;
  const type = typeof id === 'string' ? site.types.get(id) : undefined;
  return type ? { ...inputOf(kernel.fieldKinds, type, form), '@type': type.id } : form;
}

/** The body of a form that changes content. */
export function changeForm({ kernel, site, resolved }: RequestContext, form: JsonObject): JsonObject {
  const type = site.types.get(resolved.object.type);
  return type ? inputOf(kernel.fieldKinds, type, form) : form;
}
