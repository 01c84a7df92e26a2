import type { ProblemReason } from './problems.ts';

/** A deviation of an exporter from the standard, and its treatment. */
type Oddity = { reason: ProblemReason; message: string };

const STRICT = new TextDecoder('utf-8', { fatal: true });
const OLD = new TextDecoder('windows-1252');

/**
 * Parses JSON of an export, with or without a byte order mark. UTF-16 is recognised by its mark. Other text that is not UTF-8 is read as
 * Windows-1252, and `NaN` and `Infinity`, which Python writes, become null; both are reported.
 * @throws SyntaxError
 */
export function parseJson(bytes: Uint8Array, onOddity: (oddity: Oddity) => void): unknown {
  const text = decode(bytes, onOddity);
  try {
    return JSON.parse(text);
  } catch (error) {
    const mended = withoutNotNumbers(text);
    if (mended === text) throw error;
    const value: unknown = JSON.parse(mended);
    onOddity({ reason: 'value', message: 'Numbers that are none (NaN, Infinity) are left out.' });
    return value;
  }
}

/** The byte order marks of UTF-16, with Node's names of the encodings. */
const UTF_16: readonly [first: number, second: number, name: string][] = [
  [0xff, 0xfe, 'utf-16le'],
  [0xfe, 0xff, 'utf-16be'],
];

/** The name of the UTF-16 encoding of a text with a byte order mark; undefined for other texts. */
export const utf16Of = (bytes: Uint8Array): string | undefined =>
  UTF_16.find(([first, second]) => bytes[0] === first && bytes[1] === second)?.[2];

function decode(bytes: Uint8Array, onOddity: (oddity: Oddity) => void): string {
  const wide = utf16Of(bytes);
  if (wide !== undefined) {
    onOddity({ reason: 'changed', message: 'The text is UTF-16, not UTF-8: it is read as such.' });
    return new TextDecoder(wide).decode(bytes);
  }
  try {
    return STRICT.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    onOddity({ reason: 'changed', message: 'The text is not UTF-8: it is read as Windows-1252.' });
    return OLD.decode(bytes);
  }
}

/** The text with null in place of `NaN` and `Infinity` outside of strings. */
function withoutNotNumbers(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at);
    const end = open === -1 ? text.length : open;
    parts.push(text.slice(at, end).replace(/-?(?:NaN|Infinity)/g, 'null'));
    if (open === -1) break;
    at = endOfString(text, open);
    parts.push(text.slice(open, at));
  }
  return parts.join('');
}

/** The place behind the string that begins at `open`. */
function endOfString(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === '\\') before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}
