/** Text as Markdown that neither GitHub nor the site takes for HTML or for a template; code stays code. */
export const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

export const code = (text: string): string => `\`${text}\``;

/** Names as code, separated by commas; at most `limit` of them. */
export const codes = (names: readonly string[], limit = Number.POSITIVE_INFINITY): string =>
  [...names.slice(0, limit).map(code), ...(names.length > limit ? ['…'] : [])].join(', ');

/** A text with its first letter in capitals. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => plain(cell).replaceAll('|', '\\|')).join(' | ')} |`;

/** A table with the names of its columns; nothing without rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row), ''];

/** A page of the reference from its lines. */
export const page = (title: string, intro: readonly string[], lines: readonly string[]): string =>
  `${[
    `# ${title}`,
    '',
    'This page is written from the program by `npm run docs:reference`; a test compares the two.',
    ...intro,
    '',
    ...lines,
  ]
    .join('\n')
    .trimEnd()}\n`;
