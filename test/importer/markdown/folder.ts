import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { markdownReader } from '@canopy-server/markdown-reader';
import { onTestFinished } from 'vitest';
import type { Kernel } from '../../../src/core/kernel/kernel.ts';
import type { ImportOptions } from '../../../src/features/import/import-site.ts';
import { run } from '../import-helpers.ts';

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes the files of a folder. */
export async function writeFiles(folder: string, files: Record<string, string | Buffer>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, dirname(name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Makes a folder of texts that is removed after the test. */
export async function folderOf(files: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'canopy-markdown-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return folder;
}

/** Imports a folder of Markdown. */
export const importFolder = (kernel: Kernel, directory: string, options: Partial<ImportOptions> = {}) =>
  run(kernel, directory, { reader: markdownReader, ...options });
