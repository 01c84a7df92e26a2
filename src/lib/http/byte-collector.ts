const FIRST_SIZE_BYTES = 4096;

/**
 * Bytes that come in pieces, as one buffer. The pieces are copied: a client may send each byte by itself, and an object for each
 * would take a hundred times the memory.
 */
export class ByteCollector {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const needed = this.#length + piece.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_SIZE_BYTES, needed, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = needed;
  }

  /** Returns the collected bytes and empties the collector. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }
}
