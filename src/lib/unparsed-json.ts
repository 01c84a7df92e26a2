import { randomUUID } from 'node:crypto';

/** Estimated bytes in memory for each character of a text, of which the value may take the place once it is parsed. */
const BYTES_PER_CHARACTER = 2;

/** JSON as the database has sent it, which is parsed when its value is first wanted; or as it was sent to the database, with its `value`. */
export class UnparsedJson {
  readonly text: string;
  #value: unknown;
  #isParsed: boolean;
  #prepare: ((value: unknown) => void) | undefined;

  constructor(text: string, value?: unknown) {
    this.text = text;
    this.#value = value;
    this.#isParsed = value !== undefined;
  }

  /** The parsed value, the same one each time. */
  get value(): unknown {
    if (!this.#isParsed) {
      this.#value = JSON.parse(this.text);
      this.#prepare?.(this.#value);
      this.#isParsed = true;
    }
    return this.#value;
  }

  /** Has the value prepared for several requests, such as frozen, before anybody gets it. Returns its estimated bytes in memory. */
  share(prepare: (value: unknown) => void): number {
    if (this.#isParsed) prepare(this.#value);
    else this.#prepare = prepare;
    return this.text.length * BYTES_PER_CHARACTER;
  }
}

/** A member: the key under which objects have its JSON, and its property, so that all objects with the member have one form. */
type Member = { key: symbol; property: PropertyDescriptor };

/** The members by their names. */
const members = new Map<string, Member>();

function unparsedAt(object: object, key: symbol): UnparsedJson | undefined {
  const unparsed: unknown = Reflect.get(object, key);
  return unparsed instanceof UnparsedJson ? unparsed : undefined;
}

/** The texts that `bytesWith` puts in the place of marks, in their order, while a text is made; undefined outside of it. */
let collected: string[] | undefined;
/** Stands for a text. No value is this string: it is random, and it does not leave the process. */
const MARK = randomUUID();
const WRITTEN_MARK = JSON.stringify(MARK);

/** The mark that stands for a JSON text in the text that is being made; undefined when none is made. */
export function inPlaceOf(textOf: () => string): string | undefined {
  collected?.push(textOf());
  return collected && MARK;
}

function makeMember(name: string): Member {
  const key = Symbol(name);
  const property: PropertyDescriptor & ThisType<object> = {
    get() {
      const unparsed = unparsedAt(this, key);
      return unparsed && (inPlaceOf(() => unparsed.text) ?? unparsed.value);
    },
    set(value: unknown) {
      Object.defineProperty(this, key, { value: undefined });
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: true,
    configurable: true,
  };
  const member = { key, property };
  members.set(name, member);
  return member;
}

/** Adds a member to an object. It is like any other member, but its value is parsed when it is first read, and `bytesWith` writes its text. */
export function addUnparsed(object: object, name: string, unparsed: UnparsedJson): void {
  const { key, property } = members.get(name) ?? makeMember(name);
  Object.defineProperty(object, key, { value: unparsed, configurable: true });
  Object.defineProperty(object, name, property);
}

/** The JSON of a member that was added by `addUnparsed`; undefined for other members. */
export function unparsedMember(object: object, name: string): UnparsedJson | undefined {
  const member = members.get(name);
  return member && unparsedAt(object, member.key);
}

/** Runs `work` while members that are not parsed have their values. */
export function withValues<T>(work: () => T): T {
  const before = collected;
  collected = undefined;
  try {
    return work();
  } finally {
    collected = before;
  }
}

/** The parts of the JSON text that `write` makes of a body: the texts of unparsed members as the database has sent them, and what is between them. */
function partsWith(write: () => string): string[] {
  const texts: string[] = [];
  collected = texts;
  let text: string;
  try {
    text = write();
  } finally {
    collected = undefined;
  }
  const parts: string[] = [];
  let from = 0;
  // `JSON.stringify` reads each member once, in the order of its text.
  for (const inner of texts) {
    const at = text.indexOf(WRITTEN_MARK, from);
    parts.push(text.slice(from, at), inner);
    from = at + WRITTEN_MARK.length;
  }
  return [...parts, text.slice(from)];
}

/** The bytes of the JSON text that `write` makes of a body, with the texts of unparsed members in it as the database has sent them. */
export const bytesWith = (write: () => string): Buffer => bytesOf(partsWith(write));

/** The same as a text. */
export const textWith = (write: () => string): string => partsWith(write).join('');

/** The bytes of texts, one after the other, without a joint text: it may be large. */
function bytesOf(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((length, text) => length + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}
