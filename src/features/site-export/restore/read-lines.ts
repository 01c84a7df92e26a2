import { createReadStream } from 'node:fs';

/** Maximum bytes of one line: no row of the database is longer. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

const NEWLINE = 10;

/**
 * The lines of a file that are not empty. Only a line feed ends a line, because texts in JSON may contain other line separators.
 * @throws RangeError for a line that is too long
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = chunk;
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...parts, bytes.subarray(from, at)]).toString('utf8');
      if (line !== '') yield line;
      parts = [];
      length = 0;
      from = at + 1;
    }
    parts.push(bytes.subarray(from));
    length += bytes.length - from;
    if (length > MAX_LINE_BYTES) throw new RangeError(`A line of ${file} is longer than ${MAX_LINE_BYTES} bytes`);
  }
  const rest = Buffer.concat(parts).toString('utf8');
  if (rest !== '') yield rest;
}

const MAX_ROWS = 500;
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Lines in batches that fit into memory. */
export async function* batchesOf(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for await (const line of lines) {
    batch.push(line);
    length += line.length;
    if (batch.length < MAX_ROWS && length < MAX_CHARACTERS) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}
