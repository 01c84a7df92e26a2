import type { Field } from '../content-type.ts';
import { FieldError, type FieldKind, PreparedFile, type StoredFile } from '../field-kind.ts';
import { FileValue, NewFile } from '../value-shapes.ts';

/** Says if a stored value describes a file. */
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
 * Throws FieldError for a file that the field does not take: `accept` of its `widgetOptions` lists media types such as
 * `video/*`, as HTML has them.
 */
function checkAccepted({ 'content-type': type }: StoredFile, { widgetOptions }: Field): void {
  const accept = widgetOptions?.accept;
  if (!Array.isArray(accept)) return;
  const fits = accept.some((one) =>
    typeof one === 'string' && one.endsWith('/*') ? type.startsWith(one.slice(0, -1)) : type === one,
  );
  if (!fits) throw new FieldError(`Must be a file of the type ${accept.join(' or ')}, not ${type}.`);
}

/**
 * A new file, or an object without `data`: the description from a GET, which leaves the file unchanged (plone.restapi §4.2). Only files that the
 * server itself has stored are taken.
 */
function deserialize(value: unknown, field: Field, current: unknown): unknown {
  if (value instanceof PreparedFile) {
    checkAccepted(value.file, field);
    return value.file;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('data' in value))
    return current ?? null;
  throw new FieldError('Must be an object with data, encoding "base64", filename and content-type.');
}

/** The searched words of a file: the words of its name. */
export const fileWords = (stored: unknown): string => (isStoredFile(stored) ? stored.filename : '');

/** A file: stored as its description, the bytes under their hash. */
export const file: FieldKind = {
  factories: [{ name: 'File', tokens: ['File Upload'], label: 'File Upload', property: { type: 'object' } }],
  // The download of content reads the field of this name.
  fieldNames: ['file'],
  missing: null,
  holds: 'file',
  shape: () => ({ read: FileValue, write: NewFile }),
  deserialize: (value, field, context) => deserialize(value, field, context.current),
  serialize(stored, field, context) {
    if (!isStoredFile(stored)) return null;
    const { filename, size, 'content-type': contentType } = stored;
    return { filename, 'content-type': contentType, size, download: `${context.objectUrl}/@@download/${field.name}` };
  },
  words: fileWords,
  recognizes: (sample) => 'file' in sample,
  breadth: 1,
};
