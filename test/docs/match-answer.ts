import type { FencedBlock } from './fenced-blocks.ts';

/** Stands for any text in shown output. */
const ANYTHING = '…';

/** Says if `text` matches `pattern`, in which each `…` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split(ANYTHING);
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function arrayProblems(shown: unknown[], actual: unknown[], path: string): string[] {
  const open = shown.at(-1) === ANYTHING;
  const items = open ? shown.slice(0, -1) : shown;
  if (open ? actual.length < items.length : actual.length !== items.length)
    return [`${path}: ${items.length} items are shown, ${actual.length} came`];
  return items.flatMap((item, i) => jsonProblems(item, actual[i], `${path}[${i}]`));
}

/**
 * Where JSON differs from what is shown. Objects may have more keys than are shown; arrays may have more items
 * when the last one shown is `"…"`. `"…"` stands for any value, and inside a string for any text.
 */
export function jsonProblems(shown: unknown, actual: unknown, path = '$'): string[] {
  if (shown === ANYTHING) return actual === undefined ? [`${path} is missing`] : [];
  if (Array.isArray(shown) && Array.isArray(actual)) return arrayProblems(shown, actual, path);
  if (isObject(shown) && isObject(actual))
    return Object.entries(shown).flatMap(([key, value]) => jsonProblems(value, actual[key], `${path}.${key}`));
  if (typeof shown === 'string' && typeof actual === 'string' ? fits(shown, actual) : shown === actual) return [];
  return [`${path}: ${JSON.stringify(shown)} is shown, ${JSON.stringify(actual)} came`];
}

const textProblems = (shown: string, actual: string): string[] =>
  fits(shown.trimEnd(), actual.trimEnd()) ? [] : ['another text came'];

function jsonTextProblems(shown: string, actual: string): string[] {
  const expected: unknown = JSON.parse(shown);
  try {
    return jsonProblems(expected, JSON.parse(actual));
  } catch (error) {
    if (error instanceof SyntaxError) return [`the answer is not JSON: ${error.message}`];
    throw error;
  }
}

/** Head and body of what `curl -i` prints. */
function splitHead(text: string): [string[], string] {
  const [head = '', ...body] = text.replaceAll('\r', '').split('\n\n');
  return [head.trimEnd().split('\n'), body.join('\n\n')];
}

const bodyProblems = (shown: string, actual: string): string[] =>
  /^\s*[[{]/.test(shown) ? jsonTextProblems(shown, actual) : textProblems(shown, actual);

function httpProblems(shown: string, actual: string): string[] {
  const [[status = '', ...headers], body] = splitHead(shown);
  const [[actualStatus = '', ...actualHeaders], actualBody] = splitHead(actual);
  if (status.trim() !== actualStatus.trim()) return [`${status} is shown, ${actualStatus} came`];
  const lowered = (line: string) => line.replace(/^[^:]*/, (name) => name.toLowerCase());
  const missing = headers.filter((header) => !actualHeaders.some((line) => fits(lowered(header), lowered(line))));
  return [
    ...missing.map((header) => `the header ${header} did not come`),
    ...(body.trim() === '' ? [] : bodyProblems(body, actualBody)),
  ];
}

/** Where the output of commands differs from what the document shows; commands without output must show none. */
export function answerProblems(answer: FencedBlock | undefined, output: string): string[] {
  if (!answer) return output === '' ? [] : ['no answer is shown'];
  if (answer.language === 'http') return httpProblems(answer.text, output);
  return answer.language === 'json' ? jsonTextProblems(answer.text, output) : textProblems(answer.text, output);
}
