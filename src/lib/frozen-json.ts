import { isJsonObject, type JsonObject } from './json-object.ts';
import { bytesWith, textWith, withValues } from './unparsed-json.ts';

/** The JSON texts of values that are frozen with all of their members; an empty text until it is first needed. */
const texts = new WeakMap<object, string>();

/** Notes that a value of JSON is frozen with all of its members, so that its text can be cached. */
export function noteFrozen(value: object): void {
  if (!texts.has(value)) texts.set(value, '');
}

/** True if a value was noted as frozen with all of its members, for ever. */
export const isFrozenWhole = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && texts.has(value);

/** The cached text of a value; undefined for a value that may change. */
function frozenText(value: unknown): string | undefined {
  if (!isFrozenWhole(value)) return undefined;
  const known = texts.get(value);
  if (known) return known;
  const text = withValues(() => JSON.stringify(value));
  texts.set(value, text);
  return text;
}

/** The members of an object as text, without its braces: cached texts, and between them the text of other members. */
function membersText(object: JsonObject): string {
  const parts: string[] = [];
  let others: [string, unknown][] = [];
  const writeOthers = (): void => {
    // fromEntries defines keys; an assignment would set the prototype for a client's `__proto__`.
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

/** Says if a value is a list of objects with cached texts in them, such as the children in a representation. */
function isListOfFrozen(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value)) return false;
  const [first]: unknown[] = value;
  return isJsonObject(first) && Object.values(first).some(isFrozenWhole);
}

/** The text of a list of objects with cached texts in them; undefined for other values. */
function listText(value: unknown): string | undefined {
  if (!isListOfFrozen(value)) return undefined;
  return `[${value.map((item: unknown) => (isJsonObject(item) ? `{${membersText(item)}}` : JSON.stringify(item))).join(',')}]`;
}

/** The text of a body. One without cached texts, as most are, is written at once. */
function bodyText(body: unknown): string {
  if (!isJsonObject(body) || isFrozenWhole(body)) return JSON.stringify(body);
  const hasTexts = Object.values(body).some((value) => isFrozenWhole(value) || isListOfFrozen(value));
  return hasTexts ? `{${membersText(body)}}` : JSON.stringify(body);
}

/**
 * The JSON text of a body of a response, as bytes. Large values that stay in memory are not written anew each time, and unparsed members have the
 * text of the database, which has other spaces than that of `JSON.stringify`.
 */
export const jsonBytes = (body: unknown): Buffer => bytesWith(() => bodyText(body));

/** The same text as a string, for a response that is made once. */
export const jsonText = (body: unknown): string => textWith(() => bodyText(body));
