import { mimes } from 'mrmime';

/** The type of bytes of an unknown type. */
const UNKNOWN = 'application/octet-stream';

/** Declared types that only mean "some bytes". */
const GENERIC = new Set([UNKNOWN, 'binary/octet-stream', 'application/x-download', 'application/force-download']);

/**
 * Types that may be shown in the browser as part of this site: none of them runs code. They are the list of plone.namedfile's `@@display-file`, and
 * types that browsers play.
 */
const INLINE_SAFE = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/vnd.microsoft.icon',
  'image/x-icon',
  'image/jp2',
  'text/plain',
  'application/pdf',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
]);

/** Types of extensions that the table of `mrmime` lacks, or maps to another type. */
const OTHER_TYPES: Readonly<Record<string, string>> = {
  ico: 'image/vnd.microsoft.icon',
  xml: 'application/xml',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  m4v: 'video/mp4',
  ogv: 'video/ogg',
  m4a: 'audio/mp4',
};

/** The types of extensions. */
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries({ ...mimes, ...OTHER_TYPES }));

/** The extension of each type. For types with several extensions, this map has the usual one, which `mrmime` does not mark. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ...[...TYPES].reverse().map(([extension, type]) => [type, extension] as const),
  ['image/jpeg', 'jpg'],
  ['image/tiff', 'tiff'],
  ['image/x-icon', 'ico'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'xhtml'],
  ['application/xml', 'xml'],
  ['audio/mpeg', 'mp3'],
  ['audio/ogg', 'ogg'],
  ['audio/mp4', 'm4a'],
  ['video/mp4', 'mp4'],
  ['video/ogg', 'ogv'],
]);

/** Elements by which a browser recognizes a text as HTML (WHATWG MIME Sniffing, section 7.1). */
const HTML_STARTS = [
  '!doctype html',
  'html',
  'head',
  'script',
  'iframe',
  'h1',
  'div',
  'font',
  'table',
  'a',
  'style',
  'title',
  'b',
  'body',
  'br',
  'p',
];

/**
 * The media type under which bytes may be presented, in lower case and without parameters.
 *
 * A signature in the first bytes (1 KB is enough) overrides a declaration that is missing, malformed, generic, an image, or a type that would be
 * shown inline, so that an HTML page cannot be declared as a picture or a text. Any other declared type stays. Without signature and declaration the
 * extension of the file name decides.
 */
export function sniffMediaType(firstBytes: Uint8Array, declared: string | undefined, filename?: string): string {
  const type = essence(declared);
  const known = type !== undefined && !GENERIC.has(type);
  if (known && !type.startsWith('image/') && !INLINE_SAFE.has(type)) return type;
  return signatureOf(firstBytes) ?? (known ? type : undefined) ?? typeByExtension(filename) ?? UNKNOWN;
}

/** True if bytes of this type may be sent with `Content-Disposition: inline`: no allowed type runs code. */
export function isInlineSafe(mediaType: string): boolean {
  const type = essence(mediaType);
  return type !== undefined && INLINE_SAFE.has(type);
}

/**
 * The extension, without a dot, for a file of this type: the extension of the file name when it fits the type or the type is unknown, else the usual
 * extension, else `bin`. Letters and digits in lower case, safe in a URL.
 */
export function extensionFor(mediaType: string, filename?: string): string {
  const type = essence(mediaType) ?? UNKNOWN;
  const own = extensionOf(filename);
  const usual = GENERIC.has(type) ? undefined : EXTENSIONS.get(type);
  if (own !== undefined && (usual === undefined || own === usual || TYPES.get(own) === type)) return own;
  return usual ?? 'bin';
}

/** `type/subtype` in lower case; undefined when it is no media type. */
function essence(mediaType: string | undefined): string | undefined {
  const type = mediaType?.slice(0, 255).split(';', 1)[0]?.trim().toLowerCase();
  return type !== undefined && /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/.test(type) ? type : undefined;
}

function extensionOf(filename: string | undefined): string | undefined {
  return /\.([a-z0-9]{1,10})$/.exec(filename?.slice(-11).toLowerCase() ?? '')?.[1];
}

function typeByExtension(filename: string | undefined): string | undefined {
  const own = extensionOf(filename);
  return own === undefined ? undefined : TYPES.get(own);
}

function signatureOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  if (head.startsWith('ftypavif', 4) || head.startsWith('ftypavis', 4)) return 'image/avif';
  if (head.startsWith('%PDF-')) return 'application/pdf';
  return markupOf(bytes);
}

/** The type of HTML or SVG, after a byte order mark (UTF-16 too), white space, comments and an XML declaration. */
function markupOf(bytes: Uint8Array): string | undefined {
  const text = afterPreamble(decoded(bytes.subarray(0, 1024)));
  if (!text.startsWith('<')) return undefined;
  const start = text.slice(1, 40).toLowerCase();
  if (/^svg[\s>/]/.test(start) || start.startsWith('!doctype svg') || start.startsWith('svg:svg'))
    return 'image/svg+xml';
  return HTML_STARTS.some((name) => start.startsWith(name) && /^[\s>/]?$/.test(start.charAt(name.length)))
    ? 'text/html'
    : undefined;
}

function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}

function afterPreamble(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const close = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    const end = close === undefined ? -1 : rest.indexOf(close);
    if (close === undefined || end < 0) return rest;
    rest = rest.slice(end + close.length).trimStart();
  }
}
