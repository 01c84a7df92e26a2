import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ExportedFile, isFileError, type ProblemLog } from '@canopy-server/site-reader';
import type { Downloads } from './media.ts';
import { type Entry, mediaType } from './site.ts';

/** Folders beside the export in which the files of attachments may lie. */
const FILE_FOLDERS = ['', 'uploads', 'wp-content/uploads', 'media'];

/** Where files are: beside the export, in `folder`, or on the old server. */
export type Files = { folder: string | undefined; downloads: Downloads | undefined; problems: ProblemLog };

/** The file of an attachment beside the export, below the address of its uploads; null when it is not there. */
function findFile({ folder }: Files, url: string): { path: string; size: number } | null {
  if (folder === undefined) return null;
  const uploads = /\/wp-content\/uploads\/(.+)$|\/files\/(.+)$/.exec(url.split(/[?#]/)[0] ?? '');
  const below = uploads?.[1] ?? uploads?.[2] ?? '';
  for (const name of [below, path.posix.basename(url.split(/[?#]/)[0] ?? '')]) {
    if (name === '') continue;
    for (const base of FILE_FOLDERS) {
      const place = path.join(folder, base, name);
      try {
        const real = realpathSync.native(place);
        const info = statSync(real);
        if (info.isFile() && real.startsWith(`${folder}${path.sep}`)) return { path: real, size: info.size };
      } catch (error) {
        if (!isFileError(error)) throw error;
      }
    }
  }
  return null;
}

/** The file of an attachment: beside the export, else downloaded. What cannot be had is reported, file by file. */
export async function fileOf(site: Files, entry: Entry, field: string, at: string): Promise<ExportedFile> {
  const { downloads, problems } = site;
  const filename = path.posix.basename(entry.path);
  const contentType = mediaType(filename);
  let found = findFile(site, entry.file);
  if (!found) {
    const loaded = await downloads?.load(entry.file, contentType);
    if (loaded && 'path' in loaded) found = loaded;
    else {
      const url = entry.file.slice(0, 300);
      const message = loaded
        ? `The file of ${url} was not downloaded: ${loaded.reason}.`
        : site.folder === undefined
          ? `The file of ${url} was not downloaded, as the option media=none says.`
          : `The file of ${url} is not beside the export. Put wp-content/uploads there, or give --reader-option media=fetch.`;
      problems.add({ reason: 'file', path: at, key: field, message });
    }
  }
  return { field, path: found?.path ?? null, filename, contentType, size: found?.size ?? null };
}
