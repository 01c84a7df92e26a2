import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ByteRange } from '../../../lib/http/http-headers.ts';
import type { UploadArea } from './upload-area.ts';

export type { ByteRange } from '../../../lib/http/http-headers.ts';

/** A stored blob: the SHA-256 of its bytes in lower-case hex is its address. */
export type BlobInfo = { hash: string; size: number };

/** A blob as the store lists it: `since` is the time when it was last stored, or set aside. */
export type ListedBlob = BlobInfo & { since: Date };

/** Data derived from a blob, open for reading. `size` is in bytes. The caller reads or destroys the stream. */
export type OpenDerived = { stream: Readable; size: number };

/**
 * Content-addressed storage of file bytes. The same bytes are stored once. Bytes are streamed,
 * never held whole in memory. An address says nothing about who may read: callers check permissions.
 */
export interface BlobStore {
  readonly kind: 'filesystem' | 's3';
  /** The store itself, for work that requests share; the store of a single request has here the shared store. */
  readonly store: BlobStore;
  /** The area for the parts of resumable uploads. */
  readonly uploads: UploadArea;
  /**
   * Stores the bytes; on return they survive a crash. Nothing is left behind when the source fails. Bytes that the store has already count as stored
   * anew.
   */
  put(source: Readable | Uint8Array): Promise<BlobInfo>;
  /**
   * Streams the bytes, or a range of them. Throws BlobMissing when the address is unknown and RangeNotSatisfiable when the range begins beyond the
   * last byte; a range that ends beyond it ends at the last byte.
   */
  open(hash: string, range?: ByteRange): Promise<Readable>;
  /** Size in bytes, or undefined when there is no such blob. */
  size(hash: string): Promise<number | undefined>;
  /** Removes the blob and all data derived from it; does nothing for a missing blob. */
  remove(hash: string): Promise<void>;
  /**
   * Stores bytes that were computed from the blob (a scale of a picture) beside it under a name. They have no address of their own: they are removed
   * with the blob, which never removes uploaded bytes. An older derivation of the name is replaced. A crash may lose derived bytes, because they can
   * be computed again.
   */
  putDerived(hash: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Opens a derivation, or returns undefined when it was not made. */
  openDerived(hash: string, name: string): Promise<OpenDerived | undefined>;
  /** All blobs except those that are set aside, in no order, one by one, because there may be millions. */
  list(): AsyncIterable<ListedBlob>;
  /**
   * Takes a blob out of the list, unless it was stored at `since` or later; returns true if the blob was set aside. It can still be read, and storing
   * it again puts it back on the list, so that a concurrent write that is about to refer to it loses nothing.
   */
  setAside(hash: string, since: Date): Promise<boolean>;
  /** The blobs that are set aside, like `list`. */
  listAside(): AsyncIterable<ListedBlob>;
  /** Puts a blob that is set aside back on the list; does nothing for other blobs. */
  takeBack(hash: string): Promise<void>;
  /** Removes a blob that is set aside, and all data derived from it. A blob on the list stays. */
  discard(hash: string): Promise<void>;
  /** Writes, reads and removes a small blob: throws when the store does not work. */
  check(): Promise<void>;
}

/** The error for a missing blob: a fault of the server, because content refers to the blob. */
export class BlobMissing extends Error {
  constructor(hash: string) {
    super(`No blob ${hash} in the store`);
    this.name = 'BlobMissing';
  }
}

/** Folder of the blobs that are set aside, with the same layout as the folder of blobs in use. */
export const ASIDE = 'aside';

/** Says if the text is the address of a blob: a SHA-256 in lower-case hex. */
export function isBlobHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * Relative path of a blob, `ab/cd/<hash>`: two levels keep every folder small. Throws BlobMissing when the text is no address, so that other texts
 * never reach a path or a key.
 */
export function blobPath(hash: string): string {
  if (!isBlobHash(hash)) throw new BlobMissing(hash);
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
}

/** Relative path of a blob that is set aside. Throws BlobMissing like `blobPath`. */
export const asidePath = (hash: string): string => `${ASIDE}/${blobPath(hash)}`;

/**
 * Relative path of the folder with the derivations of a blob, or of one derivation by its name (lower-case letters, digits, `.` and `-`, at most
 * 100). Throws a RangeError for another name.
 */
export function derivedPath(hash: string, name?: string): string {
  const folder = `derived/${blobPath(hash)}`;
  if (name === undefined) return folder;
  if (!/^[a-z0-9][a-z0-9.-]{0,99}$/.test(name)) throw new RangeError(`Not a name of a derivation: ${name}`);
  return `${folder}/${name}`;
}

/** Writes, reads and removes a blob of a few random bytes. Throws when the store does not return the same bytes. */
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
