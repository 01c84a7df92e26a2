/** Bytes of a file whose text is extracted. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** Characters of a text that are kept. */
export const MAX_TEXT_LENGTH = 1_000_000;
