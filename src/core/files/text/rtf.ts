/** Groups of RTF without text of the document. */
const HIDDEN =
  /^\\(?:\*|fonttbl|colortbl|stylesheet|info|pict|object|themedata|datastore|xmlnstbl|listtable|listoverridetable|fldinst)/;
/** Control words that separate words. */
const PARTING = new Set(['par', 'pard', 'line', 'tab', 'cell', 'row', 'sect', 'page']);
const TOKEN = /[{}]|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|[\r\n]+|[^\\{}\r\n]+/gi;

const western = new TextDecoder('windows-1252');

/** The text of a document in the Rich Text Format. Its letters are bytes of the Western code page, other letters are escaped. */
export function rtfText(source: string): string {
  const parts: string[] = [];
  let depth = 0;
  let hiddenFrom = Number.POSITIVE_INFINITY;
  let skip = 0;
  for (const { 0: token, 1: byte, 2: word, 3: number, 4: sign, index } of source.matchAll(TOKEN)) {
    if (token === '{') {
      depth += 1;
      if (depth < hiddenFrom && HIDDEN.test(source.slice(index + 1, index + 40))) hiddenFrom = depth;
    } else if (token === '}') {
      if (depth === hiddenFrom) hiddenFrom = Number.POSITIVE_INFINITY;
      depth -= 1;
    } else if (depth >= hiddenFrom) continue;
    else if (word === 'u' && number !== undefined) {
      parts.push(String.fromCharCode(Number(number) & 0xffff));
      skip = 1;
    } else if (byte !== undefined) {
      if (skip === 0) parts.push(western.decode(Uint8Array.of(Number.parseInt(byte, 16))));
      skip = 0;
    } else if (word !== undefined) parts.push(PARTING.has(word) ? ' ' : '');
    else if (sign !== undefined) parts.push(sign === '~' ? ' ' : /[{}\\]/.test(sign) ? sign : '');
    else if (!/^[\r\n]/.test(token)) {
      parts.push(token.slice(skip));
      skip = 0;
    }
  }
  return parts.join('');
}
