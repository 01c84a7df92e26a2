import { type FileHandle, open } from 'node:fs/promises';

/** Hexadecimal digits of SHA-1. */
const DIGITS = 40;
/** Longer than any line of such a list: the digits, a colon and a count. */
const MAX_LINE_LENGTH = 128;

/** The first line that begins at or behind `offset`; undefined when no line does. */
async function lineBehind(file: FileHandle, offset: number): Promise<{ start: number; hash: string } | undefined> {
  const from = Math.max(0, offset - 1);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(2 * MAX_LINE_LENGTH), 0, 2 * MAX_LINE_LENGTH, from);
  const text = buffer.toString('latin1', 0, bytesRead);
  const begin = offset === 0 ? 0 : text.indexOf('\n') + 1;
  if (offset > 0 && begin === 0) return undefined;
  const hash = text.slice(begin, begin + DIGITS).toUpperCase();
  return hash.length < DIGITS ? undefined : { start: from + begin, hash };
}

/**
 * Says if a SHA-1 (hexadecimal) is in a file with one sorted hash on each line, with or without `:` and a count, as in the lists of Have I Been
 * Pwned. It needs a few dozen reads, however large the file is. Throws the error of the file system when the file cannot be read.
 */
export async function isInHashList(path: string, sha1: string): Promise<boolean> {
  const wanted = sha1.toUpperCase();
  const file = await open(path);
  try {
    let low = 0;
    let high = (await file.stat()).size;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const line = await lineBehind(file, middle);
      if (line && line.start < high && line.hash === wanted) return true;
      if (line && line.start < high && line.hash < wanted) low = line.start + 1;
      else high = middle;
    }
    return false;
  } finally {
    await file.close();
  }
}
