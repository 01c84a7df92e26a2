/** Markdown documents as text: CommonMark 0.31 with GFM's strikethrough and tables, safe for any content. */

import { gfmToMarkdown } from 'mdast-util-gfm';
import { defaultHandlers, type Handle, type State, toMarkdown } from 'mdast-util-to-markdown';
import { markdown } from '#core';

/** A part of a document that is Markdown already, such as converted HTML. */
type MarkdownSource = { type: 'markdownSource'; value: string };

declare module 'mdast' {
  interface BlockContentMap {
    markdownSource: MarkdownSource;
  }
  interface RootContentMap {
    markdownSource: MarkdownSource;
  }
}

/** Escapes the characters of plain text within a line that Markdown would read as markup. */
export const escapeInline = (text: string): string =>
  markdown
    .cleanText(text)
    .replace(/[\\`*[\]<~]/g, '\\$&')
    .replace(/&(?=[A-Za-z#])/g, '\\&')
    // An underscore between letters is no markup and stays readable.
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');

/** A line of escaped text that does not start a heading, list, quotation, rule or table by accident. */
export const escapeLineStart = (line: string): string =>
  line
    .trimStart()
    .replace(/^(?=[#>+=|-]|:-)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');

const isInTable = ({ stack }: State): boolean => stack.includes('tableCell');

/** Text. The library's own escaping takes quadratic time for text with many marks, so it is replaced here. */
const text: Handle = (node, _parent, state, { before, after }) => {
  const escaped = escapeInline(String(node.value)).replace(/\n/g, ' ');
  if (isInTable(state)) return escaped.replaceAll('|', '\\|');
  const line = before === '' || before === '\n' ? escapeLineStart(escaped) : escaped;
  // An exclamation mark before a link would make it an image.
  if (after === '[' && line.endsWith('!')) return `${line.slice(0, -1)}\\!`;
  // A number sign at the end would be taken for the closing of the heading.
  return state.stack.includes('headingAtx') && line.endsWith('#') ? `${line.slice(0, -1)}\\#` : line;
};

/** A code span, with more backticks around it than there are in it. */
const inlineCode: Handle = (node, _parent, state) => {
  const line = markdown.cleanText(String(node.value)).replace(/\n+/g, ' ');
  let longest = 0;
  for (const run of line.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  const mark = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  const span = `${mark}${pad}${line}${pad}${mark}`;
  return isInTable(state) ? span.replaceAll('|', '\\|') : span;
};

/** A link, or only its content if the address must not be linked. */
const link: Handle = (node, _parent, state, info) => {
  const exit = state.enter('link');
  const content = state.containerPhrasing(node, { ...info, before: '[', after: ']' });
  exit();
  const target = markdown.destination(String(node.url));
  return target === undefined ? content : `[${content}](${target})`;
};

const image: Handle = (node) => {
  const target = markdown.destination(String(node.url));
  return target === undefined ? '' : `![${escapeInline(String(node.alt ?? '')).replace(/\n/g, ' ')}](${target})`;
};

const TAGS = new Set(['<sub>', '</sub>', '<sup>', '</sup>', '<br>']);

/** HTML: only tags without a Markdown equivalent. All other HTML is written as text, whatever its source. */
const html: Handle = (node) => (TAGS.has(String(node.value)) ? String(node.value) : escapeInline(String(node.value)));

const hardBreak: Handle = (_node, _parent, state) => (isInTable(state) ? '<br>' : '\\\n');

/** A table whose rows keep their lengths: filling up every row would cost rows times columns. */
const table: Handle = (node, _parent, state, info) => {
  const rows: string[][] = node.children.map((row: { children: { children: never[] }[] }) =>
    row.children.map((cell) => {
      const exit = state.enter('tableCell');
      const content = state.containerPhrasing({ type: 'paragraph', ...cell }, { ...info, before: ' ', after: ' ' });
      exit();
      return content.trim();
    }),
  );
  // Only the heading and the line below it need the full width; readers complete shorter rows.
  const width = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const filled = (cells: readonly string[], filler: string): string[] =>
    Array.from({ length: width }, (_, index) => cells[index] ?? filler);
  const [head = [], ...body] = rows;
  return [line(filled(head, '')), line(filled([], '---')), ...body.map(line)].join('\n');
};

const markdownSource: Handle = (node) => String(node.value);

/** Adds the first character of its output to a handler; without it, the library would write each node twice. */
const peeking = (character: string, handle: Handle): Handle => Object.assign(handle, { peek: () => character });

/** The text of a document, ending in a newline; empty for an empty document. */
export const writeMarkdown = (children: readonly markdown.BlockContent[]): string =>
  toMarkdown(
    { type: 'root', children: [...children] },
    {
      extensions: [gfmToMarkdown()],
      handlers: {
        ...defaultHandlers,
        text,
        inlineCode: peeking('`', inlineCode),
        link: peeking('[', link),
        image: peeking('!', image),
        html: peeking('<', html),
        break: hardBreak,
        table,
        markdownSource,
      },
      bullet: '-',
      emphasis: '*',
      rule: '-',
      fences: true,
      listItemIndent: 'one',
    },
  );
