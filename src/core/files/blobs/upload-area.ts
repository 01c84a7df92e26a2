import type { BlobInfo } from './blob-store.ts';

/** A part of an upload under way. Numbers grow with the place in the file; `tag` is what the store knows it by. */
export type UploadPart = { number: number; size: number; tag: string };

/** An upload under way: its id, a UUID, and what the store calls it. */
export type StagedUpload = { id: string; handle: string };

/** Bytes that are still to be stored, under a number that no other part of the upload has. */
export type NewPart = { number: number; bytes: Buffer };

/** S3 takes no smaller parts than this except the last one, in bytes: what is less is read again and goes before the rest. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** The store takes no more parts of the upload: another request has put them together, or has removed them. */
export class UploadGone extends Error {
  constructor(id: string, cause?: unknown) {
    super(`The parts of the upload ${id} are gone`, { cause });
    this.name = 'UploadGone';
  }
}

/**
 * Where the parts of uploads wait until all are there, apart from the blobs: collecting those that nothing refers to never
 * looks here. A part is written once and never changed, so that requests that write the same upload at the same
 * time cannot spoil each other's parts; which parts count, the database says.
 */
export interface UploadArea {
  /** Begins an upload of `length` bytes. Returns what the store calls it. */
  begin(id: string, length: number): Promise<string>;
  /** Stores a part; on return it survives a crash. Throws UploadGone. */
  put(upload: StagedUpload, part: NewPart): Promise<UploadPart>;
  /** The bytes of a part that is smaller than MIN_PART_BYTES. Throws UploadGone. */
  read(upload: StagedUpload, part: UploadPart): Promise<Buffer>;
  /**
   * Makes a blob of the parts, all but the last one of MIN_PART_BYTES at least, and of the bytes behind them. May be asked
   * again with the same parts until they are discarded. Throws UploadGone.
   */
  finish(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): Promise<BlobInfo>;
  /** Removes all parts; does nothing for an upload without parts. */
  discard(upload: StagedUpload): Promise<void>;
  /** Ids of uploads that have parts here, none of them stored since a time. */
  list(before: Date): AsyncIterable<string>;
}

const UPLOAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Says if a text is the id of an upload: a UUID in lower case. */
export const isUploadId = (text: string): boolean => UPLOAD_ID.test(text);

/** The id of an upload, for a path or a key. Throws a RangeError for anything else, so that nothing else reaches one. */
export function checkedUploadId(id: string): string {
  if (!isUploadId(id)) throw new RangeError(`Not the id of an upload: ${id}`);
  return id;
}
