import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a file whose name is the hash of its bytes, unless it is there: its bytes cannot be others. It has another name until it is whole, so that a
 * file that was cut off is written again.
 */
export async function writeHashedFile(file: string, open: () => Promise<NodeJS.ReadableStream>): Promise<void> {
  if (existsSync(file)) return;
  await mkdir(dirname(file), { recursive: true });
  await pipeline(await open(), createWriteStream(`${file}.part`));
  await rename(`${file}.part`, file);
}
