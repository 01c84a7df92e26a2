/** The small parts of Markdown (CommonMark 0.31 with GFM's strikethrough and tables), safe for any text. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to drop
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Schemes that a link may have. `javascript:` and the like run in whatever shows the Markdown as HTML. */
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp']);

/** Plain text for within a line: what Markdown would read as markup is escaped. Newlines stay. */
export function escapeInline(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      .replace(CONTROL, '')
      .replace(/[\\`*[\]<~]/g, '\\$&')
      .replace(/&(?=[A-Za-z#])/g, '\\&')
      // An underscore between letters is no markup and stays readable.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
  );
}

/** A line of escaped text that does not start a heading, list, quotation, rule or table by accident. */
function escapeLineStart(line: string): string {
  return line.replace(/^(?=[#>+=|-]|:-)/, '\\').replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

/** A paragraph of inline Markdown, in which newlines are hard line breaks. Empty when it has no text. */
export function paragraph(inline: string): string {
  return inline
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(escapeLineStart)
    .join('\\\n');
}

/** A heading of level 1 to 6 of inline Markdown. Empty when it has no text. */
export function heading(level: number, inline: string): string {
  const line = inline.replaceAll('\n', ' ').trim();
  // A number sign at the end would be taken for the closing of the heading.
  const text = line.endsWith('#') ? `${line.slice(0, -1)}\\#` : line;
  return text === '' ? '' : `${'#'.repeat(level)} ${text}`;
}

/** Puts marks around inline Markdown, not around the space at its ends, where they would not count as marks. */
export function emphasis(open: string, inline: string, close = open): string {
  const text = inline.trim();
  if (text === '') return inline;
  const before = inline.slice(0, inline.length - inline.trimStart().length);
  return `${before}${open}${text}${close}${inline.slice(inline.trimEnd().length)}`;
}

/** A run of backticks that does not occur in the text, at least `least` long. */
function backticks(text: string, least: number): string {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(Math.max(least, longest + 1));
}

/** A code span. */
export function codeSpan(text: string): string {
  const line = text.replace(CONTROL, '').replace(/[\r\n]+/g, ' ');
  if (line === '') return '';
  const mark = backticks(line, 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${line}${pad}${mark}`;
}

/** A fenced code block; `language` is kept if it is a plain word. */
export function codeBlock(text: string, language = ''): string {
  const mark = backticks(text, 3);
  const info = /^[\w+#.-]{1,30}$/.test(language) ? language : '';
  return `${mark}${info}\n${text.replace(/\r\n?/g, '\n').replace(CONTROL, '').trimEnd()}\n${mark}`;
}

/** The destination of a link or image, or undefined for an address that must not be linked. */
function destination(url: string): string | undefined {
  const address = url.replace(CONTROL, '').trim();
  const scheme = /^([a-z][a-z0-9+.-]{0,40}):/i.exec(address.replace(/\s+/g, ''))?.[1]?.toLowerCase();
  if (address === '' || (scheme !== undefined && !SCHEMES.has(scheme))) return undefined;
  return address.replace(/[\s<>()\\]/g, (character) =>
    '()'.includes(character) ? `%${character.charCodeAt(0).toString(16)}` : encodeURIComponent(character),
  );
}

/** A link, or its text alone where the address must not be linked. `inline` is Markdown. */
export function link(inline: string, url: string): string {
  const target = destination(url);
  return target === undefined ? inline : emphasis('[', inline.replaceAll('\n', ' '), `](${target})`);
}

/** An image; `alt` is plain text. Empty where the address must not be linked. */
export function image(alt: string, url: string): string {
  const target = destination(url);
  return target === undefined ? '' : `![${escapeInline(alt.replace(/\s+/g, ' ').trim())}](${target})`;
}

/** Sets a block behind a margin, the first line behind its own. Blank lines stay blank. */
export function indent(block: string, first: string, rest: string): string {
  return block
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n');
}

/** A GFM table from cells of inline Markdown. Without `header` the heading row, which GFM demands, is empty. */
export function table(rows: readonly string[][], header: boolean): string {
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (width === 0) return '';
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|').replaceAll('\n', '<br>')).join(' | ')} |`;
  const pad = (cells: readonly string[], filler: string): string[] =>
    Array.from({ length: width }, (_, index) => cells[index] ?? filler);
  // Only the first two rows decide the width; shorter ones below are completed by the reader.
  const [head = [], ...body] = header ? rows : [[], ...rows];
  return [row(pad(head, '')), row(pad([], '---')), ...body.map(row)].join('\n');
}
