import type { Readable } from 'node:stream';
import { BadRequest, ClientError, PayloadTooLarge } from '../../lib/errors.ts';
import { ByteCollector } from '../../lib/http/byte-collector.ts';

/**
 * The bytes of a body, piece by piece, up to a limit. A reader that has read too far pushes the rest back. The stream is not destroyed when reading
 * ends early: a connection with an unread body could not be used again, and could not end.
 */
export class ByteSource {
  readonly #stream: Readable;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #limit: number;
  #size = 0;
  #pushedBack: Buffer | undefined;

  /** `limit` in bytes. Throws PayloadTooLarge when the announced length is over the limit. */
  constructor(stream: Readable, { limit, announced }: { limit: number; announced: number | undefined }) {
    if (announced !== undefined && announced > limit) throw new PayloadTooLarge(limit);
    this.#stream = stream;
    this.#chunks = stream.iterator({ destroyOnReturn: false });
    this.#limit = limit;
  }

  /** The next bytes; undefined at the end. Throws PayloadTooLarge, BadRequest when the body is cut off, and the error of a stream that fails. */
  async next(): Promise<Buffer | undefined> {
    const back = this.#pushedBack;
    this.#pushedBack = undefined;
    if (back !== undefined && back.length > 0) return back;
    const { done, value } = await this.#read();
    if (done === true) return undefined;
    this.#size += value.length;
    if (this.#size > this.#limit) {
      await this.skip();
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
  async skip(): Promise<void> {
    // The stream does not flow until the iterator has stopped listening.
    await this.#chunks.return?.();
    this.#stream.resume();
  }

  async #read(): Promise<IteratorResult<Buffer, unknown>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      if (error instanceof ClientError) throw error;
      // Any other error comes from the connection.
      throw new BadRequest('The body was cut off.', 'DeserializationError');
    }
  }
}
