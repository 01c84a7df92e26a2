import type { Readable } from 'node:stream';

/** A file at a place. */
export type PlacedFile = { key: string; size: number };

/** A folder or a bucket that backups are in. Keys are paths with slashes. */
export interface Place {
  /** Its name for people. */
  readonly label: string;
  /** Stores a file as a whole or not at all, so that it survives a crash. A source that fails leaves nothing. */
  put(key: string, source: Readable): Promise<void>;
  /** Opens a file; undefined when it is not there. */
  open(key: string): Promise<Readable | undefined>;
  /** Returns the size of a file in bytes; undefined when the file is not there. */
  size(key: string): Promise<number | undefined>;
  /** The files whose keys begin with a prefix that ends with a slash, in the order of the keys. */
  list(prefix: string): AsyncIterable<PlacedFile>;
  remove(key: string): Promise<void>;
}
