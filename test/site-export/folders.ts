import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '../../src/core/kernel/kernel.ts';
import { exportSite } from '../../src/features/site-export/export-site.ts';
import { importOwnExport, type OwnImportOptions } from '../../src/features/site-export/restore/import-export.ts';
import { openOwnExport } from '../../src/features/site-export/restore/own-export.ts';
import { openFolderTarget } from '../../src/features/site-export/target/folder-target.ts';

export const quiet = () => ({ tick: () => undefined, done: () => undefined });

/** Folders for exports, which are removed together. */
export function keepFolders() {
  const made: string[] = [];
  return {
    /** A folder that is not there yet. */
    async fresh(): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'canopy-export-test-'));
      made.push(folder);
      return join(folder, 'export');
    },
    async remove(): Promise<void> {
      for (const folder of made) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Exports into a folder. */
export const exportInto = async (
  kernel: Kernel,
  folder: string,
  options: { path?: string; passphrase?: string } = {},
) => exportSite(kernel, { target: await openFolderTarget(folder), progress: quiet, ...options });

/** Imports what `exportInto` has written. */
export async function importFrom(kernel: Kernel, folder: string, options: OwnImportOptions = {}) {
  const source = await openOwnExport(folder);
  if (!source) throw new Error(`There is no export in ${folder}`);
  return importOwnExport(kernel, source, { progress: quiet, ...options });
}

/** All files of a folder by their paths, as texts of bytes. */
export async function filesIn(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    files[file.slice(folder.length + 1)] = await readFile(file, 'latin1');
  }
  return files;
}
