import { BadRequest } from '../../../lib/errors.ts';
import { addUnparsed, UnparsedJson } from '../../../lib/unparsed-json.ts';

/**
 * The fields that are columns of JSON text of their own, under their names, and not in the column `fields`: most of the bytes of a page. A response has
 * them as they are stored, and what is left is short enough to be read for each object of a list.
 */
const LONG_FIELDS = ['blocks', 'blocks_layout', 'text'] as const;

type LongField = (typeof LONG_FIELDS)[number];

/** True for the name of a field with a column of its own. */
export const isLongField = (name: string): name is LongField => (LONG_FIELDS as readonly string[]).includes(name);

/** The values of all fields in the form of the columns. */
export type FieldColumns = { fields: Record<string, unknown> } & Record<LongField, unknown>;

/** The values of all fields as parameters; null for a long field without a value. */
export type FieldTexts = { fields: string } & Record<LongField, string | null>;

/** The long fields of the content with an alias as columns that are parsed where they are read (`database/wire-rows.ts`), if a condition holds. */
export const longColumns = (content: string, condition?: string): string =>
  LONG_FIELDS.map((name) => {
    const column = `${content}.${name}`;
    return `${condition === undefined ? column : `case when ${condition} then ${column} end`} as "fields.${name}"`;
  }).join(', ');

/** SQL for the value as jsonb of the field that `name` names, of the content with an alias. */
export const fieldValue = (content: string, name: string): string =>
  `case ${name} ${LONG_FIELDS.map((long) => `when '${long}' then ${content}.${long}::jsonb`).join(' ')} else ${content}.fields->${name} end`;

/** SQL for the text of all values of the content with an alias. */
export const fieldsText = (content: string): string =>
  `concat_ws(' ', ${['fields', ...LONG_FIELDS].map((name) => `${content}.${name}`).join(', ')})`;

/** SQL for the record of content in JSON that an earlier program may have written: into the recycle bin, or an export of the site. */
export const storedRow = (data: string): string => `jsonb_populate_record(null::content, content_row(${data}))`;

/** Splits fields into the columns; a long field without a value is null. */
export function splitFields({ blocks, blocks_layout, text, ...fields }: Record<string, unknown>): FieldColumns {
  return { fields, blocks: blocks ?? null, blocks_layout: blocks_layout ?? null, text: text ?? null };
}

/**
 * Fields as they are loaded from a row that has been written with these texts. The texts of long fields are not parsed: their values are those that
 * were written.
 */
export function loadedFields(texts: FieldTexts, written: FieldColumns): Record<string, unknown> {
  const loaded: Record<string, unknown> = JSON.parse(texts.fields);
  for (const name of LONG_FIELDS) {
    const text = texts[name];
    if (text !== null) addUnparsed(loaded, name, new UnparsedJson(text, written[name]));
  }
  return loaded;
}

/** The fields in the columns of a row. */
export const joinFields = ({ fields, blocks, blocks_layout, text }: FieldColumns): Record<string, unknown> => ({
  ...fields,
  ...{ blocks, blocks_layout, text },
});

/** An escape of U+0000 or of half a surrogate pair: in well-formed JSON, `JSON.stringify` writes only these halves as escapes. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The text of a JSON value as a parameter; null for no value.
 * @throws BadRequest for characters that PostgreSQL cannot store: a column of JSON text would take their escapes, and each use of them would fail
 */
export function jsonParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value);
  const [found] = (text.includes('\\u') && NOT_STORABLE.exec(text)) || [];
  if (found === undefined) return text;
  throw new BadRequest(
    `Text must not contain ${found.endsWith('0000') ? 'the character U+0000' : 'half a surrogate pair'}.`,
  );
}
