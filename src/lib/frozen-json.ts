import { isJsonObject, type JsonObject } from './json-object.ts';

/** The texts of values that are frozen with all that they hold, as JSON; empty until somebody asks for one. */
const texts = new WeakMap<object, string>();

/** Says of a value of JSON that it is frozen with all that it holds, so that its text can be kept. */
export function noteFrozen(value: object): void {
  if (!texts.has(value)) texts.set(value, '');
}

/** True if a value was noted as frozen with all that it holds. It stays so. */
export const isFrozenWhole = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && texts.has(value);

/** The kept text of a value; undefined for one that may change. */
function frozenText(value: unknown): string | undefined {
  if (!isFrozenWhole(value)) return undefined;
  const known = texts.get(value);
  if (known) return known;
  const text = JSON.stringify(value);
  texts.set(value, text);
  return text;
}

/** The members of an object as text, without its braces: kept texts, and between them what has none. */
function membersText(object: JsonObject): string {
  const parts: string[] = [];
  let others: [string, unknown][] = [];
  const writeOthers = (): void => {
    // fromEntries defines keys, assignment would set the prototype for a client's `__proto__`.
    const text = JSON.stringify(Object.fromEntries(others)).slice(1, -1);
    if (text !== '') parts.push(text);
    others = [];
  };
  for (const key of Object.keys(object)) {
    const value = object[key];
    const text = frozenText(value) ?? listText(value);
    if (text === undefined) others.push([key, value]);
    else {
      writeOthers();
      parts.push(`${JSON.stringify(key)}:${text}`);
    }
  }
  writeOthers();
  return parts.join(',');
}

/** The text of a list of objects with kept texts in them, such as the children in a representation; undefined for other values. */
function listText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const [first]: unknown[] = value;
  if (!isJsonObject(first) || !Object.values(first).some(isFrozenWhole)) return undefined;
  return `[${value.map((item: unknown) => (isJsonObject(item) ? `{${membersText(item)}}` : JSON.stringify(item))).join(',')}]`;
}

/**
 * The text that `JSON.stringify` returns for a body of a response. Large values that were read once and stay in memory are not written
 * anew each time: they are most of a page.
 */
export const jsonText = (body: unknown): string =>
  isJsonObject(body) && !isFrozenWhole(body) ? `{${membersText(body)}}` : JSON.stringify(body);
