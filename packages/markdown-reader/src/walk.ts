import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ExportError, isFileError, type ProblemLog } from '@canopy-server/site-reader';

/** Files of one source: more are no documentation, but a mistake in the place. */
const MAX_FILES = 200_000;
const MAX_DEPTH = 60;

/** A file or a folder below the source; `name` is relative to it, with `/`, and empty for the source itself. */
export type Found = { name: string; isFolder: boolean };

const MARKDOWN = /\.(?:md|markdown|mdx)$/i;

export const isMarkdown = (name: string): boolean => MARKDOWN.test(name);

/** The name of a file of Markdown without its extension. */
export const withoutExtension = (name: string): string => name.replace(MARKDOWN, '');

/** Folders that no text is in. */
const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules' || name === '__pycache__';

/** Sorts names as people count: `2-next` comes before `10-last`. */
export const byName = (a: string, b: string): number => {
  const order = a.localeCompare(b, 'en', { numeric: true });
  return order === 0 ? (a < b ? -1 : 1) : order;
};

/**
 * Returns the files and folders of a source, folders before what is in them. Hidden names are left out, and links, which may
 * lead out of it. Throws ExportError for more files than a source may have.
 */
export async function walk(root: string, problems: ProblemLog): Promise<Found[]> {
  const found: Found[] = [{ name: '', isFolder: true }];
  const waiting = [{ folder: '', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, depth } = next;
    for (const entry of (await readdir(path.join(root, folder), { withFileTypes: true })).sort((a, b) =>
      byName(a.name, b.name),
    )) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const leave = (reason: 'unreadable' | 'system', message: string) => problems.add({ reason, file: name, message });
      if (isLeftOut(entry.name)) leave('system', 'Hidden files and folders of programs are left out.');
      else if (entry.isSymbolicLink()) leave('unreadable', 'A link may lead out of the folder; it is left out.');
      else if (entry.isDirectory() && depth >= MAX_DEPTH)
        leave('unreadable', `Folders below ${MAX_DEPTH} levels are left out.`);
      else if (entry.isDirectory()) {
        found.push({ name, isFolder: true });
        waiting.push({ folder: name, depth: depth + 1 });
      } else if (entry.isFile()) found.push({ name, isFolder: false });
      else leave('unreadable', 'It is neither a file nor a folder.');
      if (found.length > MAX_FILES)
        throw new ExportError(`${root} has more than ${MAX_FILES} files. Name a smaller folder.`);
    }
  }
  return found;
}

/** Says if a folder has a text of Markdown on one of its upper levels, and is a folder at all. */
export async function hasMarkdown(place: string): Promise<boolean> {
  if (!lstatSync(place).isDirectory()) return false;
  let folders = [place];
  for (let level = 0; level < 3 && folders.length > 0; level += 1) {
    const below: string[] = [];
    for (const folder of folders.slice(0, 100)) {
      try {
        for (const entry of await readdir(folder, { withFileTypes: true })) {
          if (isLeftOut(entry.name)) continue;
          if (entry.isFile() && isMarkdown(entry.name)) return true;
          if (entry.isDirectory()) below.push(path.join(folder, entry.name));
        }
      } catch (error) {
        if (!isFileError(error)) throw error;
      }
    }
    folders = below;
  }
  return false;
}
