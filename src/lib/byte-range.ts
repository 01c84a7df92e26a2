/** Bytes `start` to `end`, both included, as in HTTP ranges. */
export type ByteRange = { start: number; end: number };

/** One range of bytes: `bytes=5-9`, `bytes=5-` or `bytes=-4`. */
const SINGLE_RANGE = /^bytes=[ \t]*(\d{0,20})-(\d{0,20})[ \t]*$/i;

/**
 * What a `Range` header asks of a representation of `size` bytes (RFC 9110, section 14).
 * Answers the range with its end inside the representation, `unsatisfiable` (416) when it begins
 * beyond the end, and `whole` when the header is to be ignored: absent, malformed, another unit,
 * or several ranges, which this server does not serve in parts.
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

/** The last `length` bytes. An empty file is whole at any length: no range of it can be named. */
function suffixRange(length: number, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable';
  return size === 0 ? 'whole' : { start: Math.max(0, size - length), end: size - 1 };
}
