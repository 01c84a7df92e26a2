import { parse as parseToml, TomlError } from 'smol-toml';
import { parseDocument } from 'yaml';

/** A text of Markdown: what stands before it, and the rest. */
export type MarkdownText = {
  /** Empty without front matter. */
  data: Record<string, unknown>;
  body: string;
  /** Why the front matter cannot be read; null when it can. */
  error: string | null;
};

/** Aliases of YAML that are followed: a few of them in each other make any number of values. */
const MAX_ALIASES = 100;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Splits a text between the lines with its mark; undefined when it does not begin with one. */
function split(text: string, mark: string): { head: string; body: string } | undefined {
  if (!text.startsWith(`${mark}\n`)) return undefined;
  const end = text.indexOf(`\n${mark}`, mark.length);
  if (end === -1) return undefined;
  const after = text.slice(end + 1 + mark.length);
  const line = /^[ \t]*(?:\n|$)/.exec(after);
  return line ? { head: text.slice(mark.length + 1, end + 1), body: after.slice(line[0].length) } : undefined;
}

function parseYaml(head: string): unknown {
  const document = parseDocument(head, { uniqueKeys: false, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) throw new SyntaxError(error.message.split('\n')[0]);
  return document.toJS({ maxAliasCount: MAX_ALIASES });
}

/** Values as JSON has them: dates of TOML as texts. */
function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Splits a file into front matter (YAML between `---`, TOML between `+++`) and text. */
export function parseMarkdownText(content: string): MarkdownText {
  const text = content.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const yaml = split(text, '---');
  const toml = yaml ? undefined : split(text, '+++');
  const found = yaml ?? toml;
  if (!found) return { data: {}, body: text, error: null };
  try {
    const data = yaml ? parseYaml(yaml.head) : parseToml(toml?.head ?? '');
    if (data === null || data === undefined) return { data: {}, body: found.body, error: null };
    if (!isObject(data)) return { data: {}, body: found.body, error: 'it is no list of names and values' };
    return {
      data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, plain(value)])),
      body: found.body,
      error: null,
    };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TomlError || error instanceof ReferenceError)) throw error;
    return { data: {}, body: found.body, error: error.message.split('\n')[0] ?? '' };
  }
}
