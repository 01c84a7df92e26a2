import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a folder with all its files through to the disk, so that a power cut cannot empty them. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(path);
    else if (entry.isFile()) await syncPath(path);
  }
  await syncPath(folder);
}

/** Writes one file, or the names in one folder, through to the disk. */
export async function syncPath(path: string): Promise<void> {
  // Windows neither opens folders nor needs to: its file systems journal names.
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (process.platform === 'win32') return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}
