import { FieldError, type FieldKind, PreparedFile, type StoredFile } from '../field-kind.ts';

/** Whether a stored value describes a file. */
export function isStoredFile(value: unknown): value is StoredFile {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hash' in value &&
    typeof value.hash === 'string' &&
    'filename' in value
  );
}

/**
 * A new file, or an object without `data`: the description that a GET gave, which keeps the file as it is
 * (plone.restapi §4.2). Only files that the server itself has stored are taken.
 */
function deserialize(value: unknown, current: unknown): unknown {
  if (value instanceof PreparedFile) return value.file;
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value))
    return current ?? null;
  throw new FieldError('Must be an object with data, encoding "base64", filename and content-type.');
}

/** A file: stored as its description, the bytes under their hash. */
export const file: FieldKind = {
  factories: [{ name: 'File', tokens: ['File Upload'], label: 'File Upload', property: { type: 'object' } }],
  // The download of content is that of its field of this name.
  fieldNames: ['file'],
  missing: null,
  holds: 'file',
  deserialize: (value, _field, context) => deserialize(value, context.current),
  serialize(stored, field, context) {
    if (!isStoredFile(stored)) return null;
    const { filename, size, 'content-type': contentType } = stored;
    return { filename, 'content-type': contentType, size, download: `${context.objectUrl}/@@download/${field.name}` };
  },
  recognizes: (sample) => 'file' in sample,
  breadth: 1,
};
