import type { StoredFile } from './field-kind.ts';

/**
 * A file of a request whose bytes are in the blob store already. It is a class so that no JSON of a
 * client can pass for one: a client that could name a blob by its hash could read any file.
 */
export class PreparedFile {
  readonly file: StoredFile;

  constructor(file: StoredFile) {
    this.file = file;
  }
}
