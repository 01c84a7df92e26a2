import { fileURLToPath } from 'node:url';

/** The path of a folder that is given as a path or, from `new URL('…', import.meta.url)`, as a URL. */
export const folderPath = (folder: string | URL): string =>
  folder instanceof URL || folder.startsWith('file:') ? fileURLToPath(folder) : folder;
