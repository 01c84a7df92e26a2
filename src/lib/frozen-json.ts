import { bytesWith, inPlaceOf, textWith, withValues } from './unparsed-json.ts';

/** The JSON texts of values that are frozen with all of their members; an empty text until it is first needed. */
const texts = new WeakMap<object, string>();

/** The method by which `JSON.stringify` writes a frozen value. Nothing else sees it. */
const WRITTEN: PropertyDescriptor & ThisType<object> = {
  value() {
    return inPlaceOf(() => frozenText(this)) ?? this;
  },
};

/** Notes that a value of JSON is going to be frozen with all of its members, so that its text can be cached. */
export function noteFrozen(value: object): void {
  // A client's member of the name stays as it is.
  if (Object.hasOwn(value, 'toJSON') || !Object.isExtensible(value)) return;
  Object.defineProperty(value, 'toJSON', WRITTEN);
  texts.set(value, '');
}

/** True if a value was noted as frozen with all of its members, for ever. */
export const isFrozenWhole = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && texts.has(value);

/** The text of a noted value, which is written once. */
function frozenText(value: object): string {
  const known = texts.get(value);
  if (known) return known;
  const text = withValues(() => JSON.stringify(value));
  texts.set(value, text);
  return text;
}

/**
 * The JSON text of a body of a response, as bytes. Large values that stay in memory are not written anew each time, and unparsed members have the
 * text of the database, which has other spaces than that of `JSON.stringify`.
 */
export const jsonBytes = (body: unknown): Buffer => bytesWith(() => JSON.stringify(body));

/** The same text as a string, for a response that is made once. */
export const jsonText = (body: unknown): string => textWith(() => JSON.stringify(body));
