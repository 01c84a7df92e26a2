import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange } from '../../../lib/http/http-headers.ts';
import type { UploadArea } from './upload-area.ts';

export type { ByteRange } from '../../../lib/http/http-headers.ts';

/** A stored blob: the SHA-256 of its bytes in lower-case hex is its address. */
export type BlobInfo = { hash: string; size: number };

/** A blob as the store lists it: `since` is when it was stored the last time, or when it was set aside. */
export type ListedBlob = BlobInfo & { since: Date };

/** Data derived from a blob, open for reading. `size` is in bytes. The caller reads or destroys the stream. */
export type OpenDerived = { stream: Readable; size: number };

/**
 * Content-addressed storage of file bytes. The same bytes are stored once. Bytes are streamed,
 * never held whole in memory. An address says nothing about who may read: callers check permissions.
 */
export interface BlobStore {
  readonly kind: 'filesystem' | 's3';
  /** The store itself, also where this is how one request sees it: for what requests share. */
  readonly store: BlobStore;
  /** The area for the parts of resumable uploads. */
  readonly uploads: UploadArea;
  /**
   * Stores the bytes; on return they survive a crash. Nothing is left behind when the source fails. Bytes that are there
   * already count as stored anew.
   */
  put(source: Readable | Uint8Array): Promise<BlobInfo>;
  /**
   * Streams the bytes, or the range of them. Throws BlobMissing when the address is unknown and
   * RangeNotSatisfiable when the range begins beyond the end; an end beyond it is taken as the last byte.
   */
  open(hash: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or undefined when there is no such blob. */
  size(hash: string): Promise<number | undefined>;
  /** Removes the blob and all that was derived from it; nothing happens when it is not there. */
  remove(hash: string): Promise<void>;
  /**
   * Keeps bytes that were computed from the blob (a scale of a picture) beside it under a name. They have no
   * address of their own: removing the blob removes them, and never bytes that somebody uploaded.
   * An older derivation of the name is replaced. They can be computed again, so a crash may lose them.
   */
  putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Opens a derivation, or returns undefined when it was not made. */
  openDerived(hash: string, name: string): Promise<OpenDerived | undefined>;
  /** All blobs but those that are set aside, in no order, as they are found: there may be millions. */
  list(): AsyncIterable<ListedBlob>;
  /**
   * Takes a blob out of the list, unless it was stored at `since` or later; returns true if it did. It can still be read, and
   * storing it again puts it back on the list: a concurrent write that is about to refer to it loses nothing.
   */
  setAside(hash: string, since: Date): Promise<boolean>;
  /** The blobs that are set aside, like `list`. */
  listAside(): AsyncIterable<ListedBlob>;
  /** Puts a blob that is set aside back on the list; nothing happens when it is not. */
  takeBack(hash: string): Promise<void>;
  /** Removes a blob that is set aside, and all that was derived from it. One that is on the list stays. */
  discard(hash: string): Promise<void>;
  /** Writes, reads and removes a small blob: throws when the store does not work. */
  check(): Promise<void>;
}

/** The store has no blob at this address: a fault of the server, as content pointed at it. */
export class BlobMissing extends Error {
  constructor(hash: string) {
    super(`No blob ${hash} in the store`);
    this.name = 'BlobMissing';
  }
}

/** Folder of the blobs that are set aside, laid out like those in use. */
export const ASIDE = 'aside';

/** Says if the text is the address of a blob: a SHA-256 in lower-case hex. */
export function isBlobHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Relative path of a blob, `ab/cd/<hash>`: two levels keep every folder small.
 * Throws BlobMissing when the text is no address, so that nothing else reaches a path or a key.
 */
export function blobPath(hash: string): string {
  if (!isBlobHash(hash)) throw new BlobMissing(hash);
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** Relative path of a blob that is set aside. Throws BlobMissing like `blobPath`. */
export const asidePath = (hash: string): string => `${ASIDE}/${blobPath(hash)}`;

/**
 * Relative path of the folder of what is derived from a blob, or of one derivation by its name
 * (lower-case letters, digits, `.` and `-`, at most 100). Throws a RangeError for another name.
 */
export function derivedPath(hash: string, name?: string): string {
  const folder = `derived/${blobPath(hash)}`;
  if (name === undefined) return folder;
  if (!/^[a-z0-9][a-z0-9.-]{0,99}$/.test(name)) throw new RangeError(`Not a name of a derivation: ${name}`);
  return `${folder}/${name}`;
}

/** Writes, reads and removes a blob of a few random bytes. Throws when the store does not give back what it took. */
export async function checkBlobStore(store: BlobStore): Promise<void> {
  const bytes = Buffer.from(`check ${randomUUID()}`);
  const { hash } = await store.put(bytes);
  try {
    const read = await buffer(await store.open(hash));
    if (!read.equals(bytes)) throw new Error(`The ${store.kind} blob store does not give back what was written`);
  } finally {
    await store.remove(hash);
  }
}
