import type { Readable } from 'node:stream';
import { BadRequest, ClientError, PayloadTooLarge } from '../../lib/errors.ts';
import { ByteCollector } from '../../lib/http/byte-collector.ts';

/**
 * The bytes of a body, piece by piece, up to a limit. A reader that has read too far pushes the rest back. The stream is not destroyed when reading
 * ends early: a connection with an unread body could not be used again, and could not end.
 */
export class ByteSource {
  readonly #stream: Readable;
  readonly #limit: number;
  #size = 0;
  #pushedBack: Buffer | undefined;
  #isListening = false;
  /** Ends the wait for the stream. */
  #wake: () => void = () => {};

  /** `limit` in bytes. Throws PayloadTooLarge when the announced length is over the limit. */
  constructor(stream: Readable, { limit, announced }: { limit: number; announced: number | undefined }) {
    if (announced !== undefined && announced > limit) throw new PayloadTooLarge(limit);
    this.#stream = stream;
    this.#limit = limit;
  }

  /** The next bytes; undefined at the end. Throws PayloadTooLarge, BadRequest when the body is cut off, and the error of a stream that fails. */
  async next(): Promise<Buffer | undefined> {
    const back = this.#pushedBack;
    this.#pushedBack = undefined;
    if (back !== undefined && back.length > 0) return back;
    const value = await this.#read();
    if (value === undefined) return undefined;
    this.#size += value.length;
    if (this.#size > this.#limit) {
      this.skip();
      throw new PayloadTooLarge(this.#limit);
    }
    return value;
  }

  /** Pushes bytes back; `next` returns them again. */
  pushBack(bytes: Buffer): void {
    this.#pushedBack = this.#pushedBack === undefined ? bytes : Buffer.concat([bytes, this.#pushedBack]);
  }

  /** Returns at least `most` bytes, or all bytes until the end. `check` gets each piece, and may end the reading by an error. */
  async take(most: number, check?: (piece: Buffer) => void): Promise<{ bytes: Buffer; ended: boolean }> {
    const collected = new ByteCollector();
    while (collected.length < most) {
      const chunk = await this.next();
      if (chunk === undefined) return { bytes: collected.take(), ended: true };
      check?.(chunk);
      collected.add(chunk);
    }
    return { bytes: collected.take(), ended: false };
  }

  /** Drops the rest of the body. */
  skip(): void {
    this.#stream.off('readable', this.#onChange);
    // The stream notices in the next tick that nobody waits for it to be readable, and does not flow before.
    process.nextTick(() => this.#stream.resume());
  }

  readonly #onChange = (): void => this.#wake();

  /** The next piece of the stream; undefined at its end. The iterator of a stream has more listeners than a body of one piece is worth. */
  async #read(): Promise<Buffer | undefined> {
    const stream = this.#stream;
    if (!this.#isListening) {
      this.#isListening = true;
      for (const event of ['readable', 'end', 'error', 'close']) stream.on(event, this.#onChange);
    }
    for (;;) {
      const piece: Buffer | null = stream.destroyed ? null : stream.read();
      if (piece !== null) return piece;
      if (stream.errored instanceof ClientError) throw stream.errored;
      // Any other error comes from the connection.
      if (stream.errored || (stream.destroyed && !stream.readableEnded))
        throw new BadRequest('The body was cut off.', 'DeserializationError');
      if (stream.readableEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
