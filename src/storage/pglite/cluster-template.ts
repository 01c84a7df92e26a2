import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** An archive of tar is made of blocks: one for each name, then those of the file, the last one filled up. */
const BLOCK = 512;

/** The bytes of a stream in pieces of a wanted size. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next bytes, at least one and at most `length`. Throws at the end of the stream. */
  async some(length: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error('The database of new sites is not complete: build the program again');
      this.#rest = value;
    }
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** The next `length` bytes. */
  async next(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; missing -= parts.at(-1)?.length ?? 0) parts.push(await this.some(missing));
    return Buffer.concat(parts);
  }
}

/** A text of a header, which ends with a zero when it is shorter than its place. */
function textAt(header: Buffer, start: number, length: number): string {
  const [text = ''] = header.toString('utf8', start, start + length).split('\0');
  return text;
}

async function unpackFile(path: string, size: number, bytes: Bytes): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let missing = size; missing > 0; ) {
      const part = await bytes.some(missing);
      await file.appendFile(part);
      missing -= part.length;
    }
  } finally {
    await file.close();
  }
  await bytes.next((BLOCK - (size % BLOCK)) % BLOCK);
}

/**
 * Unpacks a compressed archive of tar into a folder, which it makes. Of its forty megabytes only a piece is in memory at a time:
 * a process keeps much of what it had at its start. Names have up to a hundred bytes and come after their folders, as it is in
 * archives of database clusters. Throws when the archive ends too early.
 */
export async function unpackTemplate(archive: string, folder: string): Promise<void> {
  await mkdir(folder);
  const stream = createReadStream(archive).pipe(createGunzip());
  const bytes = new Bytes(stream);
  try {
    for (;;) {
      const header = await bytes.next(BLOCK);
      const name = textAt(header, 0, 100);
      // Empty blocks end an archive.
      if (name === '') return;
      const path = join(folder, name);
      if (textAt(header, 156, 1) === '5') await mkdir(path);
      else await unpackFile(path, Number.parseInt(textAt(header, 124, 12), 8), bytes);
    }
  } finally {
    stream.destroy();
  }
}
