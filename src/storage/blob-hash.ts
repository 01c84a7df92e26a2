import { BlobMissing } from './blob-store.ts';

/** Folder of the blobs that are set aside, laid out like those in use. */
export const ASIDE = 'aside';

/** Whether the text is the address of a blob: a SHA-256 in lower-case hex. */
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
