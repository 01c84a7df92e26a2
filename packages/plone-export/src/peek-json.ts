import { createReadStream } from 'node:fs';
import { type ExportFolder, utf16Of } from '@canopy-server/site-reader';

/** The shape of the first object of a JSON file. */
export type PeekedJson = {
  /** True if the file holds a list; the object is its first element. */
  isList: boolean;
  /** Names of the members of the object in the beginning of the file; none without an object. */
  keys: string[];
  /** True if the list, or the object, is empty. */
  isEmpty: boolean;
};

/** Number of bytes at the beginning of a file that are examined. */
const PEEKED_BYTES = 256 * 1024;

/** Maximum number of keys that are examined to recognize an object. */
const MAX_KEYS = 500;

/** Returns the shape of a JSON file from its beginning; undefined for neither an object nor a list. */
export async function peekJson(folder: ExportFolder, name: string): Promise<PeekedJson | undefined> {
  const found = await folder.locate(name);
  if (!found) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(found.path, { start: 0, end: PEEKED_BYTES - 1 })) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return peek(new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes));
}

// Sticky, so that each match begins at the end of the last one.
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+)/y;

function* tokensOf(text: string): Generator<string> {
  TOKEN.lastIndex = 0;
  const scan = new RegExp(TOKEN.source, 'y');
  for (let match = scan.exec(text); match; match = scan.exec(text)) yield match[1] ?? '';
}

function peek(text: string): PeekedJson | undefined {
  const tokens = tokensOf(text.replace(/^\uFEFF/, ''));
  const first = tokens.next().value;
  if (first !== '[' && first !== '{') return undefined;
  const isList = first === '[';
  if (isList) {
    const [element, isEmpty] = firstObject(tokens);
    if (!element) return { isList, keys: [], isEmpty };
  }
  const keys: string[] = [];
  let depth = 1;
  let isKey = true;
  for (const token of tokens) {
    if (depth === 1 && isKey && token.startsWith('"')) keys.push(textOf(token));
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 || keys.length >= MAX_KEYS) break;
    isKey = depth === 1 && (token === ',' || token === '{');
  }
  return { isList, keys, isEmpty: keys.length === 0 };
}

/** Advances to the first object of a list, past other values. Returns whether it was found, and whether the list is empty. */
function firstObject(tokens: Iterator<string>): [found: boolean, isEmpty: boolean] {
  let count = 0;
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    if (next.value === '{') return [true, false];
    if (next.value === ']' || next.value === '[') return [false, count === 0 && next.value === ']'];
    count += 1;
  }
  return [false, false];
}

/** The text of a JSON string; a broken string is returned unchanged. */
function textOf(token: string): string {
  try {
    return String(JSON.parse(token));
  } catch (error) {
    if (error instanceof SyntaxError) return token;
    throw error;
  }
}
