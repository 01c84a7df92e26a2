import { parseEntityTags } from './entity-tags.ts';

/** Bytes `start` to `end`, both included, as in HTTP ranges. */
export type ByteRange = { start: number; end: number };

/** One range of bytes: `bytes=5-9`, `bytes=5-` or `bytes=-4`. */
const SINGLE_RANGE = /^bytes=[ \t]*(\d{0,20})-(\d{0,20})[ \t]*$/i;

/**
 * Parses a `Range` header for a representation of `size` bytes (RFC 9110, section 14). Returns the range with its end inside the representation,
 * `unsatisfiable` (416) when it begins beyond the end, and `whole` when the header is ignored: absent, malformed, of another unit, or with several
 * ranges, which this server does not support.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = header === undefined ? null : SINGLE_RANGE.exec(header);
  if (!match) return 'whole';
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return 'whole';
  if (first === '') return suffixRange(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** The range of the last `length` bytes. An empty file is sent whole for any length, because it has no ranges. */
function suffixRange(length: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? 'whole' : { start: Math.max(0, size - length), end: size - 1 };
}

/**
 * Says if an `If-None-Match` header names the entity tag (RFC 9110, 13.1.2): by weak comparison, so that a tag that a proxy made weak also counts.
 * `etag` has its quotes.
 */
export function etagMatches(header: string | undefined, etag: string): boolean {
  const tags = header === undefined ? undefined : parseEntityTags(header);
  return tags === '*' || (tags?.some(({ tag }) => tag === etag) ?? false);
}

/** Maximum length of a sent file name, in UTF-16 units; longer names are cut before their extension. */
const MAX_LENGTH = 200;
const MAX_EXTENSION = 20;

/**
 * Characters that are removed from file names for clients: controls, path separators, and marks that change the direction of writing, by which
 * `gpj.exe` can look like `exe.jpg`.
 */
const UNSAFE = /[\p{Cc}/\\\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The value of a `Content-Disposition` header (RFC 6266) for any file name: `filename` in plain ASCII for old
 * clients and `filename*` in UTF-8 (RFC 8187). Nothing in the name can end the parameter or the header.
 */
export function contentDisposition(kind: 'attachment' | 'inline', filename: string): string {
  const name = presentable(filename);
  return `${kind}; filename="${asciiName(name)}"; filename*=UTF-8''${extendedValue(name)}`;
}

function presentable(filename: string): string {
  const name = shortened(filename)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(UNSAFE, '_')
    .trim();
  return name === '' || /^\.+$/.test(name) ? 'download' : name;
}

function shortened(filename: string): string {
  if (filename.length <= MAX_LENGTH) return filename;
  const dot = filename.lastIndexOf('.');
  const extension = dot > 0 && filename.length - dot <= MAX_EXTENSION ? filename.slice(dot) : '';
  return filename.slice(0, MAX_LENGTH - extension.length) + extension;
}

/** Removes accents of letters; other characters outside ASCII, and characters that need quoting, become `_`. */
function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^ -~]/gu, '_')
    .replace(/["\\%]/g, '_');
}

/** RFC 8187 `ext-value`: `encodeURIComponent` does not encode four characters that are no `attr-char`. */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Tests whether a `Prefer` header asks for the representation after a change (RFC 7240). */
export const prefersRepresentation = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((preference) => preference.trim().toLowerCase() === 'return=representation');
