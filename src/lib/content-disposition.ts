/** Longest file name that is sent, in UTF-16 units: longer ones are cut before their extension. */
const MAX_LENGTH = 200;
const MAX_EXTENSION = 20;

/**
 * Characters that no file name may carry to a client: controls, path separators, and the marks that turn
 * the direction of writing, with which `exe.jpg` can be made of `gpj.exe`.
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

/** Letters lose their accents, all else outside ASCII becomes `_`, as do the characters that quoting would need. */
function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^ -~]/gu, '_')
    .replace(/["\\%]/g, '_');
}

/** RFC 8187 `ext-value`: `encodeURIComponent` leaves four characters that are no `attr-char`. */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
