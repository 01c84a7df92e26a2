import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { PayloadTooLarge } from '../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../lib/json-object.ts';
import type { BlobInfo } from '../files/blobs/blob-store.ts';
import { ReceivedBytes } from '../types/field-kind.ts';
import { decodeBase64String, looksLikeBase64 } from './base64-string.ts';
import type { ByteSource } from './byte-source.ts';

/** Puts the bytes of a file into the blob store. */
export type StoreFile = (source: Readable) => Promise<BlobInfo>;

/** Minimum bytes of a string that may be a file; shorter strings stay texts. */
const MIN_FILE_LENGTH = 64 * 1024;
/** Bytes that a body may have beside its files. */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Follows JSON as it comes, only closely enough to find the place of a string; the parser later checks that the text is JSON. It looks for
 * `{"<field>": {"data": "…"}}`, the place of files in content.
 */
class FileFinder {
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #depth = 0;
  /** For each of the two outer levels, true if the level is an object. Deeper levels do not matter. */
  readonly #objects = [false, false];
  #inString = false;
  #escaped = false;
  #expectsKey = false;
  /** Bytes of the key that is being read, at the two levels that matter. */
  #key: Buffer[] | undefined;
  #field = '';
  #member = '';

  /** The field whose `data` was found last. */
  get field(): string {
    return this.#field;
  }

  /** The text so far, with the replacements instead of the files. */
  get text(): Buffer {
    return Buffer.concat(this.#kept);
  }

  /** Follows a piece. Returns the place behind the opening quote of a string `data`; undefined without such a string. */
  follow(piece: Buffer): number | undefined {
    let keyFrom = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          this.#endKey(piece.subarray(keyFrom, at));
        }
      } else if (byte === QUOTE) {
        this.#inString = true;
        if (this.#isFileData()) {
          this.#keep(piece.subarray(0, at + 1));
          return at + 1;
        }
        keyFrom = at + 1;
        if (this.#expectsKey) this.#key = [];
      } else this.#followBracket(byte);
    }
    this.#key?.push(piece.subarray(keyFrom));
    this.#keep(piece);
    return undefined;
  }

  /** Puts a text in the place of a string that another reader has read, with its closing quote. */
  replaceString(text: string): void {
    this.#inString = false;
    this.#keep(Buffer.from(`${text}"`));
  }

  #followBracket(byte: number | undefined): void {
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (this.#depth < 2) this.#objects[this.#depth] = byte === OPEN_OBJECT;
      this.#depth += 1;
      this.#member = '';
      this.#expectsKey = this.#isInObject();
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      this.#depth -= 1;
      this.#member = '';
    } else if (byte === COMMA) this.#expectsKey = this.#isInObject();
    else if (byte === COLON) this.#expectsKey = false;
  }

  /** Says if the innermost level is an object, and one of the two outer levels. */
  #isInObject(): boolean {
    return this.#objects[this.#depth - 1] === true && this.#depth <= 2;
  }

  #isFileData(): boolean {
    return !this.#expectsKey && this.#member === 'data' && this.#depth === 2 && this.#objects.every(Boolean);
  }

  #endKey(last: Buffer): void {
    if (!this.#key) return;
    const name = Buffer.concat([...this.#key, last]).toString();
    this.#key = undefined;
    if (this.#depth === 1) this.#field = name;
    else this.#member = name;
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
    if (this.#keptBytes > MAX_TEXT_BYTES) throw new PayloadTooLarge(MAX_TEXT_BYTES);
  }
}

/** Says if a string goes on behind these bytes, because no byte ends it. */
function isOpen(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let backslashes = 0;
    while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return false;
  }
  return true;
}

/** The place of a file in a body: its field, and the text that replaces it. */
type FoundFile = { field: string; token: string; bytes: ReceivedBytes };

/**
 * Receives a JSON body, putting files (`{"<field>": {"data": "<base64>", …}}`) into the blob store as they come, so that no
 * more than 16 MiB of texts are held. `parse` makes an object of the rest; in it `data` of these files is `ReceivedBytes`.
 * Throws ValidationFailed, PayloadTooLarge, BadRequest.
 */
export async function receiveJsonWithFiles(
  source: ByteSource,
  storeFile: StoreFile,
  parse: (text: Buffer) => JsonObject,
): Promise<JsonObject> {
  const finder = new FileFinder();
  const files: FoundFile[] = [];
  for (let piece = await source.next(); piece !== undefined; piece = await source.next()) {
    const opened = finder.follow(piece);
    if (opened === undefined) continue;
    source.pushBack(piece.subarray(opened));
    const { bytes } = await source.take(MIN_FILE_LENGTH);
    source.pushBack(bytes);
    const beginning = bytes.subarray(0, MIN_FILE_LENGTH);
    if (beginning.length < MIN_FILE_LENGTH || !isOpen(beginning) || !looksLikeBase64(beginning)) continue;
    const { field } = finder;
    const stored = await storeFile(Readable.from(decodeBase64String(source, field), { objectMode: false }));
    const token = randomUUID();
    finder.replaceString(token);
    files.push({ field, token, bytes: new ReceivedBytes(stored, { wasBase64: true }) });
  }
  const body = parse(finder.text);
  for (const { field, token, bytes } of files) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    if (isJsonObject(value) && value.data === token) value.data = bytes;
  }
  return body;
}
