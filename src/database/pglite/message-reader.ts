import { type MessageCallback, Parser } from 'pg-protocol/dist/parser.js';

/** Bytes that are collected before messages are read: the engine sends eight kilobytes at a time, and a message may be in several pieces. */
const COLLECTED_BYTES = 256 * 1024;

/** Bytes of the type and the length before each message. The length counts itself, but not the type. */
const HEADER_BYTES = 5;
const TYPE_BYTES = 1;

/**
 * Reads the messages of the embedded engine. Pieces are copied into one buffer, which is used again for each response: the engine overwrites the memory
 * of a piece, and new memory for each piece or value costs more than to read it.
 */
export class MessageReader {
  readonly #parser = new Parser();
  #bytes = Buffer.allocUnsafeSlow(COLLECTED_BYTES);
  #length = 0;

  /** Forgets what was added and not read. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > COLLECTED_BYTES) this.#bytes = Buffer.allocUnsafeSlow(COLLECTED_BYTES);
  }

  /** Adds the next piece of a response. Messages before it are passed to `take` when the buffer is full. */
  add(piece: Uint8Array, take: MessageCallback): void {
    if (this.#length + piece.length > this.#bytes.length) this.read(take);
    if (this.#length + piece.length > this.#bytes.length) this.#grow(this.#length + piece.length);
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  }

  /** Passes all messages that are complete to `take`, in order. */
  read(take: MessageCallback): void {
    let end = 0;
    while (end + HEADER_BYTES <= this.#length) {
      const next = end + TYPE_BYTES + this.#bytes.readUInt32BE(end + TYPE_BYTES);
      if (next > this.#length) break;
      end = next;
    }
    if (end > 0) this.#parser.parse(this.#bytes.subarray(0, end), take);
    this.#bytes.copyWithin(0, end, this.#length);
    this.#length -= end;
  }

  /** Makes room for a message that is larger than the buffer. */
  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
