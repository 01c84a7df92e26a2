import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PRIVATE_FILE } from './places/folder-place.ts';

/** Length and SHA-256 of some bytes. */
export type Measure = { bytes: number; sha256: string };

/** Passes bytes on and measures them; `check` gets the measure at the end, and the stream fails if it throws. */
export function measuring(check: (measure: Measure) => void): Transform {
  const hash = createHash('sha256');
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      try {
        check({ bytes, sha256: hash.digest('hex') });
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
}

/** Writes texts into a compressed file. Returns the measure of the file. */
export async function writePart(path: string, texts: AsyncIterable<string>): Promise<Measure> {
  let measured: Measure | undefined;
  await pipeline(
    Readable.from(texts, { objectMode: false }),
    createGzip(),
    measuring((measure) => {
      measured = measure;
    }),
    createWriteStream(path, { mode: PRIVATE_FILE }),
  );
  if (!measured) throw new Error('A file ended without a measure');
  return measured;
}
