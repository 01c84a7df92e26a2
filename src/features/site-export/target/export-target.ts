/** The target of an export, which gets one file after the other. Its place stays empty until `finish`. */
export interface ExportTarget {
  /** Writes a file. `name` is its path in the export, parted by `/`. */
  write(name: string, content: AsyncIterable<string | Uint8Array>): Promise<void>;
  /** Puts the export at its place. */
  finish(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

/** Modes of files and folders, which contain hashes of passwords and unpublished content. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** The content of a small file. */
export async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
