import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The lines of a compressed stream, loaded in pieces. An error of the stream is thrown to the reader of the lines. */
export async function* readLines(source: Readable): AsyncGenerator<string> {
  const text = createGunzip();
  // The loop below throws errors of the source as well.
  pipeline(source, text, () => {});
  text.setEncoding('utf8');
  let pieces: string[] = [];
  for await (const chunk of text) {
    const [first = '', ...lines] = String(chunk).split('\n');
    pieces.push(first);
    const last = lines.pop();
    if (last === undefined) continue;
    yield pieces.join('');
    yield* lines;
    pieces = [last];
  }
  const rest = pieces.join('');
  if (rest !== '') yield rest;
}

/** Lines of a list that another list does not have. Both are sorted. */
export async function* without(lines: AsyncIterable<string>, others: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = others[Symbol.asyncIterator]();
  try {
    let other = await iterator.next();
    for await (const line of lines) {
      while (!other.done && other.value < line) other = await iterator.next();
      if (other.done || other.value !== line) yield line;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Lines in batches of at most so many characters and lines; a longer line is a batch of its own. */
export async function* batches(
  lines: AsyncIterable<string>,
  { maxLength, maxLines }: { maxLength: number; maxLines: number },
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for await (const line of lines) {
    if (batch.length > 0 && (length + line.length > maxLength || batch.length === maxLines)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(line);
    length += line.length;
  }
  if (batch.length > 0) yield batch;
}

/** The list of files has a line for each: its hash and its size. */
export const blobLine = (hash: string, size: number): string => `${hash} ${size}`;

export function parseBlobLine(line: string): { hash: string; size: number } {
  const [hash = '', size] = line.split(' ');
  return { hash, size: Number(size) };
}
