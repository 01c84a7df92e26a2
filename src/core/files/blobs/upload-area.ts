import type { BlobInfo } from './blob-store.ts';

/** A part of an upload under way. Numbers grow with the place in the file; `tag` identifies the part in the store. */
export type UploadPart = { number: number; size: number; tag: string };

/** An upload under way: its id, a UUID, and its name in the store. */
export type StagedUpload = { id: string; handle: string };

/** Bytes that are still to be stored, under a number that no other part of the upload has. */
export type NewPart = { number: number; bytes: Buffer };

/** Minimum bytes of a part of S3, except the last one: a smaller part is read again and put before the next bytes. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** The error for an upload that takes no more parts, because another request has joined or removed them. */
export class UploadGone extends Error {
  constructor(id: string, cause?: unknown) {
    super(`The parts of the upload ${id} are gone`, { cause });
    this.name = 'UploadGone';
  }
}

/**
 * The place of the parts of uploads until all parts have come. It is apart from the blobs, so that the removal of unused blobs never touches it. A
 * part is written once and never changed, so that concurrent requests for the same upload cannot damage each other's parts; the database lists the
 * valid parts.
 */
export interface UploadArea {
  /** Begins an upload of `length` bytes. Returns its name in the store. */
  begin(id: string, length: number): Promise<string>;
  /** Stores a part; on return it survives a crash. Throws UploadGone. */
  put(upload: StagedUpload, part: NewPart): Promise<UploadPart>;
  /** The bytes of a part that is smaller than MIN_PART_BYTES. Throws UploadGone. */
  read(upload: StagedUpload, part: UploadPart): Promise<Buffer>;
  /**
   * Makes a blob of the parts, all except the last one of at least MIN_PART_BYTES, and of the bytes behind them. It may be called again with the same
   * parts until they are discarded. Throws UploadGone.
   */
  finish(upload: StagedUpload, parts: readonly UploadPart[], last: NewPart): Promise<BlobInfo>;
  /** Removes all parts; does nothing for an upload without parts. */
  discard(upload: StagedUpload): Promise<void>;
  /** Ids of uploads with parts, all stored before a time. */
  list(before: Date): AsyncIterable<string>;
}

const UPLOAD_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Says if a text is the id of an upload: a UUID in lower case. */
export const isUploadId = (text: string): boolean => UPLOAD_ID.test(text);

/** The id of an upload, for a path or a key. Throws a RangeError for other texts, so that these never reach a path or a key. */
export function checkedUploadId(id: string): string {
  if (!isUploadId(id)) throw new RangeError(`Not the id of an upload: ${id}`);
  return id;
}
