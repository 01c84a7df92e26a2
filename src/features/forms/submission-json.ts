import { type Static, Type } from 'typebox';
import { isStoredFile, schemas } from '#core';
import { isJsonObject } from '#lib/json-object';
import type { Submission } from './statements/submissions.ts';

/** The address of one submission, below that of its page's `@form-data`. */
const submissionUrl = (url: string, { id }: Pick<Submission, 'id'>): string => `${url}/${id}`;

/** A value in responses; files become their descriptions and addresses. */
function servedValue(value: unknown, address: string): unknown {
  if (!Array.isArray(value) || !value.some(isStoredFile)) return value;
  const files = value.filter(isStoredFile).map(({ filename, size, 'content-type': contentType }, at) => ({
    filename,
    'content-type': contentType,
    size,
    download: at === 0 ? address : `${address}/${at}`,
  }));
  return files.length === 1 ? files[0] : files;
}

/** Keys of a submission itself. A field of the same name gets an underscore. */
const RESERVED = new Set(['@id', 'created']);

/** A submission in responses. Its further members are the fields of the form. */
export const SubmissionBody = schemas.Extensible({
  '@id': schemas.Address,
  created: Type.String({ format: 'date-time' }),
});

/**
 * A submission in responses: plain values by their fields (Nick), or, for a form with a list of fields, each with its label
 * (collective.volto.formsupport). `url` is the address of `@form-data`.
 */
export function submissionJson(submission: Submission, url: string, hasSchema: boolean): Static<typeof SubmissionBody> {
  const { id, block, created, fields, data } = submission;
  const own = submissionUrl(url, submission);
  const entries = fields.map(({ id: field, label, form }): [string, unknown] => {
    const value = servedValue(Object.hasOwn(data, field) ? data[field] : null, `${own}/${encodeURIComponent(field)}`);
    return [RESERVED.has(field) ? `${field}_` : field, hasSchema ? value : { field_type: form, label, value }];
  });
  const at = created.toISOString();
  const more = hasSchema
    ? {}
    : {
        date: { field_type: 'date', label: 'date', value: at },
        block_id: { field_type: '', label: 'block_id', value: block },
        id,
      };
  return { ...Object.fromEntries(entries), ...more, '@id': own, created: at };
}

/** A value in one cell of a table; choices become their titles. */
export function cellOf(value: unknown, titleOf: (token: string) => string): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value))
    return value.map((item) => (isStoredFile(item) ? item.filename : titleOf(String(item)))).join('; ');
  return isJsonObject(value) ? JSON.stringify(value) : titleOf(String(value));
}
