import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import { fileStores } from '#core';
import { messageOf } from '#lib/errors';
import { BackupRefused } from '../format.ts';
import { PRIVATE_FILE } from './folder-place.ts';

/** A file for an archive; its length must be right. */
export type TarFile = { name: string; size: number; open(): Promise<Readable> };

/**
 * Writes an archive under another name, has it checked, and puts it at its place. Throws BackupRefused when it cannot be written. A
 * failure leaves nothing behind.
 */
export async function writeTar(
  name: string,
  files: AsyncIterable<TarFile>,
  check: (path: string) => Promise<void>,
): Promise<void> {
  const path = resolve(name);
  const unfinished = `${path}.unfinished`;
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(unfinished, { mode: PRIVATE_FILE, flush: true });
  const opened = new Promise<void>((done, fail) => {
    file.once('open', () => done());
    file.once('error', (error) => fail(new BackupRefused(`${name} cannot be written: ${messageOf(error)}`)));
  });
  try {
    await opened;
    const written = pipeline(Readable.fromWeb(readable), file);
    const packed = async () => {
      for await (const { name: entry, size, open: openEntry } of files) {
        const target = controller.add({ name: entry, size, mode: PRIVATE_FILE });
        await pipeline(await openEntry(), Writable.fromWeb(target));
      }
      controller.finalize();
    };
    await Promise.all([
      written,
      packed().catch((error: unknown) => {
        controller.error(error);
        throw error;
      }),
    ]);
    await check(unfinished);
    await rename(unfinished, path);
    await fileStores.syncFolder(dirname(path));
  } catch (error) {
    file.destroy();
    await rm(unfinished, { force: true });
    throw error;
  }
}

const damaged = (path: string, error: unknown): BackupRefused =>
  error instanceof BackupRefused
    ? error
    : new BackupRefused(`${path} is damaged: ${messageOf(error)}. Use another backup.`);

/** The bytes of a file in an archive. Throws BackupRefused when the archive ends within it. */
async function* bytesOf(body: Readable, path: string): AsyncGenerator<unknown> {
  try {
    yield* body;
  } catch (error) {
    throw damaged(path, error);
  }
}

/** The files of an archive, in their order. Each is read to its end before the next one. Throws BackupRefused for a broken archive. */
export async function* readTar(path: string): AsyncGenerator<{ name: string; stream: Readable }> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new BackupRefused(`${path} cannot be read: ${messageOf(error)}`);
  });
  const bytes = file.createReadStream();
  try {
    const entries = Readable.toWeb(bytes).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries)
      yield {
        name: header.name,
        stream: Readable.from(bytesOf(Readable.fromWeb(body), path), { objectMode: false }),
      };
  } catch (error) {
    throw damaged(path, error);
  } finally {
    bytes.destroy();
  }
}
