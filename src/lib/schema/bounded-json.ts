import { BadRequest, PayloadTooLarge } from '../errors.ts';

/**
 * Maximum number of values, at all depths, in the JSON of a user, because each read of stored JSON walks all values. A table of 20,000 cells in Volto
 * has some 200,000 values.
 */
export const MAX_VALUES = 250_000;
/** Maximum depth. Deeper JSON is rejected before it is parsed, because recursive functions would run out of stack. */
const MAX_DEPTH = 256;
/** Maximum bytes of the name of a member. */
const MAX_NAME_BYTES = 2048;
/** The type of errors about JSON that cannot be parsed. */
const UNREADABLE = 'DeserializationError';

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
/** The greatest character that is white space in JSON. */
const SPACE = 32;

/** True if the byte at `at` is escaped by a backslash before it. `from` is the start of the string. */
function isEscaped(bytes: Uint8Array, at: number, from: number): boolean {
  let first = at;
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * Counts the values in JSON while its bytes come: the whole, and each item and member at any depth. It reads each byte once and makes no objects, so
 * that it is cheap for a text that would become millions of objects.
 */
export class ValueCounter {
  readonly #maxValues: number;
  #values = 0;
  #depth = 0;
  // The name of a member is counted in the place of its value, which is then not counted.
  #isNew = true;
  #isInString = false;
  /** True if the last piece ended behind a backslash in a string. */
  #isEscaped = false;
  /** Bytes of the last string until now. */
  #length = 0;

  constructor(maxValues: number) {
    this.#maxValues = maxValues;
  }

  get values(): number {
    return this.#values;
  }

  /** Counts the next piece. Throws PayloadTooLarge for too many values, BadRequest for brackets nested too deep and for names that are too long. */
  add(piece: Buffer): void {
    for (let at = this.#isInString ? this.#readString(piece, 0) : 0; at < piece.length; at += 1) {
      const code = piece[at] ?? SPACE;
      if (code <= SPACE) continue;
      if (code === COMMA) this.#isNew = true;
      else if (code === COLON) {
        if (this.#length > MAX_NAME_BYTES)
          throw new BadRequest(`A name in the body is longer than ${MAX_NAME_BYTES} bytes.`, UNREADABLE);
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        this.#depth -= 1;
        this.#isNew = false;
      } else {
        this.#countValue(code);
        if (code !== QUOTE) continue;
        this.#length = 0;
        this.#isInString = true;
        // The loop goes on behind the quote.
        at = this.#readString(piece, at + 1) - 1;
      }
    }
  }

  #countValue(code: number): void {
    if (this.#isNew) this.#values += 1;
    if (this.#values > this.#maxValues) throw new PayloadTooLarge(this.#maxValues, 'values');
    this.#isNew = code === OPEN_LIST || code === OPEN_OBJECT;
    if (this.#isNew) this.#depth += 1;
    if (this.#depth > MAX_DEPTH)
      throw new BadRequest(`The body is nested deeper than ${MAX_DEPTH} levels.`, UNREADABLE);
  }

  /** Reads on in a string. Returns the place behind its closing quote, or the end of the piece. */
  #readString(piece: Buffer, from: number): number {
    // A backslash at the end of the last piece escapes this quote.
    const first = this.#isEscaped ? from + 1 : from;
    for (let at = piece.indexOf(QUOTE, first); at !== -1; at = piece.indexOf(QUOTE, at + 1)) {
      if (isEscaped(piece, at, first)) continue;
      this.#length += at - from;
      this.#isInString = false;
      this.#isEscaped = false;
      return at + 1;
    }
    this.#length += piece.length - from;
    this.#isEscaped = first > piece.length ? this.#isEscaped : isEscaped(piece, piece.length, first);
    return piece.length;
  }
}

/** The number of values in a whole text, after `before` other values. Throws the errors of `ValueCounter`. */
export function countValues(text: string | Buffer, maxValues: number, before = 0): number {
  const counter = new ValueCounter(maxValues - before);
  try {
    counter.add(typeof text === 'string' ? Buffer.from(text) : text);
  } catch (error) {
    throw error instanceof PayloadTooLarge ? new PayloadTooLarge(maxValues, 'values') : error;
  }
  return before + counter.values;
}

/** Parses a text of JSON whose values have been counted. Throws BadRequest for other texts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BadRequest(`No JSON object could be decoded: ${error.message.slice(0, 200)}`, UNREADABLE);
    throw error;
  }
}
