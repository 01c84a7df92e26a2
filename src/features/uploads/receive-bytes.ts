import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Kernel, type storedFiles, uploadArea } from '#core';
import { BadRequest, ChecksumMismatch, ClientError, Conflict, PayloadTooLarge } from '#lib/errors';
import type { Checksum } from './protocol.ts';
import { addParts, findUpload, nextPartNumber, setUploadBlob, takeUpload, type Upload } from './statements.ts';

/** Bytes of a part, and so of memory held by a request; more if the upload would need too many parts. */
const PART_BYTES = 8 * 1024 * 1024;
/** S3 takes numbers to 10,000. Half of the numbers are for interrupted requests, and for requests that lost a race. */
const MAX_PARTS = 5000;

/** Returns the size of the parts of an upload, in bytes. */
const partSizeOf = (length: number): number => Math.max(PART_BYTES, Math.ceil(length / MAX_PARTS));

/** The bytes of a request. Without a checksum received bytes are stored even if the request is cut off. */
export type Incoming = { stream: Readable; offset: number; checksum: Checksum | undefined };

/** The state of an upload after a request: open at an offset, or whole as a blob. `writer` identifies the request that ends the upload. */
export type Progress = { offset: number; expires: Date } | { whole: storedFiles.BlobInfo; writer: string };

/** 409: the upload is at another offset than the client thinks. */
export const wrongOffset = (offset: number): Conflict =>
  new Conflict(`The upload has another offset: go on from byte ${offset}.`, { 'Upload-Offset': String(offset) });
/** 409: another request has taken the place of this one. */
const takenOver = (): Conflict =>
  new Conflict('Another request goes on with this upload. Ask for the offset with HEAD, and go on from there.');

/**
 * One request that continues an upload. Bytes are collected in parts, which are stored before they count. The last part never counts here: the offset
 * reaches the length only in the transaction that writes the content, so that a client without a response sends the last part again.
 */
class UploadWriter {
  readonly #kernel: Kernel;
  readonly #upload: Upload;
  readonly #writer = randomUUID();
  readonly #hours: number;
  readonly #incoming: Incoming;
  /** The parts before the waiting bytes, in their order. */
  #parts: uploadArea.UploadPart[] = [];
  /** The last stored part, if it is too small: its bytes are stored again with the waiting ones. */
  #carried: uploadArea.UploadPart | undefined;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Stored parts that do not count yet. */
  #uncounted: uploadArea.UploadPart[] = [];
  #offset: number;
  #expires: Date;

  constructor(kernel: Kernel, upload: Upload, { hours, incoming }: { hours: number; incoming: Incoming }) {
    this.#kernel = kernel;
    this.#upload = upload;
    this.#hours = hours;
    this.#incoming = incoming;
    this.#offset = incoming.offset;
    this.#expires = upload.expires;
  }

  /**
   * Receives the bytes. Throws Conflict, PayloadTooLarge, ChecksumMismatch, BadRequest when they are cut off, and RequestTimeout when they come
   * too slowly.
   */
  async receive(): Promise<Progress> {
    await this.#begin();
    const { stream, checksum } = this.#incoming;
    try {
      for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
        checksum?.hash.update(chunk);
        await this.#add(chunk);
      }
    } catch (error) {
      if (error instanceof Conflict || error instanceof PayloadTooLarge || error instanceof uploadArea.UploadGone)
        throw error;
      if (!stream.errored && !stream.destroyed) throw error;
      if (!checksum) await this.#pause();
      if (error instanceof ClientError) throw error;
      throw new BadRequest('The body was cut off.', 'DeserializationError');
    }
    if (checksum && !checksum.hash.digest().equals(checksum.expected)) throw new ChecksumMismatch();
    if (this.#offset === this.#upload.length) return { whole: await this.#finish(), writer: this.#writer };
    await this.#pause();
    return { offset: this.#offset, expires: this.#expires };
  }

  async #begin(): Promise<void> {
    const { db, blobs } = this.#kernel;
    const { id } = this.#upload;
    const parts = await takeUpload(db, { id, writer: this.#writer, offset: this.#offset });
    if (!parts) throw wrongOffset((await findUpload(db, id))?.received ?? 0);
    this.#parts = parts;
    const last = parts.at(-1);
    if (this.#upload.blob !== null || !last || last.size >= uploadArea.MIN_PART_BYTES) return;
    this.#carried = parts.pop();
    this.#waiting = [await blobs.uploads.read(this.#upload, last)];
    this.#waitingBytes = last.size;
  }

  async #add(chunk: Buffer): Promise<void> {
    const { length, blob } = this.#upload;
    this.#offset += chunk.length;
    if (this.#offset > length) throw new PayloadTooLarge(length - this.#incoming.offset);
    // The bytes are stored already: only writing the content failed before.
    if (blob !== null) return;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    const size = partSizeOf(length);
    while (this.#waitingBytes >= size && this.#offset - this.#waitingBytes + size < length) {
      await this.#store(size);
      if (!this.#incoming.checksum) await this.#count(this.#offset - this.#waitingBytes);
    }
  }

  /** Stores all waiting bytes, and counts the stored parts. */
  async #pause(): Promise<void> {
    if (this.#offset === this.#incoming.offset || this.#offset > this.#upload.length) return;
    // The last byte counts only with the content.
    if (this.#offset === this.#upload.length) return;
    if (this.#waitingBytes > 0) await this.#store(this.#waitingBytes);
    await this.#count(this.#offset);
  }

  /** Takes bytes from the front of the waiting ones. */
  #take(size: number): Buffer {
    const all = Buffer.concat(this.#waiting);
    this.#waiting = size < all.length ? [Buffer.from(all.subarray(size))] : [];
    this.#waitingBytes = all.length - size;
    return all.subarray(0, size);
  }

  async #number(): Promise<number> {
    const number = await nextPartNumber(this.#kernel.db, { id: this.#upload.id, writer: this.#writer });
    if (number === undefined) throw takenOver();
    return number;
  }

  async #store(size: number): Promise<void> {
    const number = await this.#number();
    const part = await this.#kernel.blobs.uploads.put(this.#upload, { number, bytes: this.#take(size) });
    this.#parts.push(part);
    this.#uncounted.push(part);
  }

  async #count(received: number): Promise<void> {
    const expires = await addParts(
      this.#kernel.db,
      { id: this.#upload.id, writer: this.#writer, hours: this.#hours },
      { added: this.#uncounted, replaced: this.#carried ? [this.#carried.number] : [], received },
    );
    if (!expires) throw takenOver();
    this.#uncounted = [];
    this.#carried = undefined;
    this.#expires = expires;
  }

  async #finish(): Promise<storedFiles.BlobInfo> {
    const { id, length, blob } = this.#upload;
    if (blob !== null) return { hash: blob, size: length };
    const last = { number: await this.#number(), bytes: this.#take(this.#waitingBytes) };
    const whole = await this.#kernel.blobs.uploads.finish(this.#upload, this.#parts, last);
    await setUploadBlob(this.#kernel.db, id, whole.hash);
    return whole;
  }
}

/**
 * Receives bytes of an upload. The request replaces an earlier one that is still running, because the client of the earlier request has usually
 * disconnected. Throws Conflict, PayloadTooLarge, ChecksumMismatch, BadRequest.
 */
export async function receiveBytes(
  kernel: Kernel,
  upload: Upload,
  options: { hours: number; incoming: Incoming },
): Promise<Progress> {
  try {
    return await new UploadWriter(kernel, upload, options).receive();
  } catch (error) {
    throw error instanceof uploadArea.UploadGone ? takenOver() : error;
  }
}
