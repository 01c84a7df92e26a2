/** Maximum bytes of a file whose text is extracted. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Maximum number of stored characters of a text. */
export const MAX_TEXT_LENGTH = 1_000_000;

/** A way to get the text of a file. */
export type TextFormat = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'opendocument' | 'html' | 'rtf' | 'text';

const BY_TYPE: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  ['application/pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'opendocument'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'opendocument'],
  ['application/vnd.oasis.opendocument.presentation', 'opendocument'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/rtf', 'rtf'],
  ['text/rtf', 'rtf'],
  ['text/plain', 'text'],
  ['text/csv', 'text'],
  ['text/markdown', 'text'],
]);

const BY_EXTENSION: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['xlsx', 'xlsx'],
  ['pptx', 'pptx'],
  ['odt', 'opendocument'],
  ['ods', 'opendocument'],
  ['odp', 'opendocument'],
  ['html', 'html'],
  ['htm', 'html'],
  ['rtf', 'rtf'],
  ['txt', 'text'],
  ['csv', 'text'],
  ['md', 'text'],
]);

/** The format of the text of a file, by its media type or else by its name; undefined for an unknown format. */
export function textFormat({
  'content-type': type,
  filename,
}: {
  'content-type': string;
  filename: string;
}): TextFormat | undefined {
  const [media = ''] = type.split(';');
  return (
    BY_TYPE.get(media.trim().toLowerCase()) ??
    BY_EXTENSION.get(/\.([a-z]{2,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? '')
  );
}
