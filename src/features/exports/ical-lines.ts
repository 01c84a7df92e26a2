/** Content lines of iCalendar (RFC 5545, 3.1) and the values in them. */

/** Octets that a line may have before its CRLF (RFC 5545, 3.1). */
const LINE_LIMIT = 75;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udfff]/gu;

/** A TEXT value (RFC 5545, 3.3.11). */
export function escapeText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(UNWRITABLE, '')
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\n/g, '\\n');
}

/** A value that is not TEXT (an address), without line breaks. */
export const oneLine = (text: string): string => text.replace(/[\r\n]/g, '').replace(UNWRITABLE, '');

/** A quoted parameter value (RFC 5545, 3.2), which cannot hold a quotation mark. */
export const quoted = (text: string): string => `"${oneLine(text).replaceAll('"', "'")}"`;

/** Compact form of a local time: 20260501T100000. `wall` is in milliseconds from 1970. */
export const compactWall = (wall: number): string => new Date(wall).toISOString().replace(/[-:]|\.\d{3}Z/g, '');

/** Compact UTC form: 20260501T080000Z. */
export const compact = (date: Date): string => `${compactWall(date.getTime())}Z`;

/** A content line with its CRLF, folded so that no line is too long and no character is cut. */
export function contentLine(name: string, value: string): string {
  const line = `${name}:${value}`;
  if (Buffer.byteLength(line) <= LINE_LIMIT) return `${line}\r\n`;
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_LIMIT) {
      pieces.push(piece);
      piece = ' ';
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return `${[...pieces, piece].join('\r\n')}\r\n`;
}
