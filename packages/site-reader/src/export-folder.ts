import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileError } from './files.ts';
import { parseJson } from './json-text.ts';
import { ExportError, type ProblemLog } from './problems.ts';

/** Maximum size of one JSON text in bytes: V8 cannot make a string of much larger ones, and no object needs more. */
export const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** The files of an export. All names are relative to its root, and files outside of the root are never opened. */
export interface ExportFolder {
  readonly root: string;
  /** True if `name` is a regular file inside of the export. */
  has(name: string): Promise<boolean>;
  /** Names in a folder, sorted, numbers by their value; empty when there is no such folder. */
  list(name: string): Promise<string[]>;
  /** Names of the folders in a folder, sorted, without symbolic links. */
  folders(name: string): Promise<string[]>;
  /**
   * The parsed JSON of a file, or of the bytes from `start` up to `end` of it. Undefined after a failure, whose reason is in the problem log, except
   * for an absent file when `optional`.
   */
  json(name: string, options?: { range?: ByteRange; optional?: boolean }): Promise<unknown>;
  /**
   * The path of a file on disk and its size in bytes; null when it is absent or not a regular file. Names are equal in all normal forms of Unicode,
   * because one system may pack composed letters that another system unpacks as decomposed ones.
   */
  locate(name: string): Promise<{ path: string; size: number } | null>;
  /** True if the path of `name` stays inside of the export; links are not followed. */
  isInside(name: string): boolean;
}

export type ByteRange = { start: number; end: number };

/**
 * Opens the folder of an export. `location` may also be a JSON file in the folder: then `listFile` is its name. @throws ExportError when `location`
 * cannot be read
 */
export async function openExportFolder(
  location: string,
  problems: ProblemLog,
): Promise<{ folder: ExportFolder; listFile: string | null }> {
  const info = statOrNull(location);
  if (!info) throw new ExportError(`There is no export at ${location}.`);
  if (info.isDirectory()) return { folder: exportFolder(realpathSync.native(location), problems), listFile: null };
  if (!location.endsWith('.json')) throw new ExportError(`${location} is neither a folder nor a .json file.`);
  const root = realpathSync.native(path.dirname(location));
  return { folder: exportFolder(root, problems), listFile: path.basename(location) };
}

function exportFolder(root: string, problems: ProblemLog): ExportFolder {
  const isInside = (name: string): boolean => {
    if (name === '' || name.includes('\0') || path.isAbsolute(name)) return false;
    return isBelow(root, path.resolve(root, name));
  };

  const spellings = createSpellings(root);
  const locate = async (name: string): Promise<{ path: string; size: number } | null> => {
    if (!isInside(name)) return null;
    const asWritten = path.join(root, name);
    const known = statOrNull(asWritten);
    const spelled = known ? asWritten : await spellings.find(name);
    const info = known ?? (spelled === null ? null : statOrNull(spelled));
    if (spelled === null || !info?.isFile()) return null;
    // A symbolic link must not lead out of the export either.
    const real = realpathSync.native(spelled);
    return isBelow(root, real) ? { path: real, size: info.size } : null;
  };

  const json: ExportFolder['json'] = async (name, { range, optional = false } = {}) => {
    const found = await locate(name);
    if (!found) {
      if (!optional)
        problems.add({
          reason: 'unreadable',
          file: name,
          message: 'The file is missing or lies outside of the export.',
        });
      return undefined;
    }
    const { start, end } = range ?? { start: 0, end: found.size };
    if (end - start > MAX_JSON_BYTES) {
      problems.add({
        reason: 'unreadable',
        file: name,
        message: `More than ${MAX_JSON_BYTES} bytes of JSON in one piece are not read.`,
      });
      return undefined;
    }
    try {
      return parseJson(readBytes(found.path, start, end), (oddity) => problems.add({ file: name, ...oddity }));
    } catch (error) {
      if (!(error instanceof SyntaxError) && !isFileError(error)) throw error;
      problems.add({ reason: 'unreadable', file: name, message: `Cannot be read: ${error.message}` });
      return undefined;
    }
  };

  return {
    root,
    has: async (name) => (await locate(name)) !== null,
    list: async (name) => {
      const found = isInside(name) || name === '.' ? path.join(root, name) : null;
      if (!found || !statOrNull(found)?.isDirectory()) return [];
      return (await readdir(found)).sort(byNumberThenName);
    },
    folders: async (name) => {
      const found = isInside(name) || name === '.' ? path.join(root, name) : null;
      if (!found || !statOrNull(found)?.isDirectory()) return [];
      const entries = await readdir(found, { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(byNumberThenName);
    },
    json,
    locate,
    isInside,
  };
}

/** Maximum number of folders whose names are cached. */
const MAX_LISTED_FOLDERS = 64;

/** Finds names below a folder that are spelled in another normal form of Unicode. */
function createSpellings(root: string): { find(name: string): Promise<string | null> } {
  const listed = new Map<string, ReadonlyMap<string, string>>();
  const namesIn = async (folder: string): Promise<ReadonlyMap<string, string>> => {
    const known = listed.get(folder);
    if (known) return known;
    if (listed.size >= MAX_LISTED_FOLDERS) listed.clear();
    const info = statOrNull(folder);
    const names = info?.isDirectory() ? await readdir(folder) : [];
    const byForm = new Map(names.map((name) => [name.normalize('NFC'), name]));
    listed.set(folder, byForm);
    return byForm;
  };
  return {
    async find(name) {
      let found = root;
      for (const part of path.normalize(name).split(path.sep)) {
        const spelled = (await namesIn(found)).get(part.normalize('NFC'));
        if (spelled === undefined) return null;
        found = path.join(found, spelled);
      }
      return found;
    },
  };
}

function isBelow(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

// Reads synchronously, because an export has a small file for each object: a synchronous read takes a fraction of the time of its five asynchronous
// steps.
function readBytes(file: string, start: number, end: number): Uint8Array {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(end - start);
    let filled = 0;
    while (filled < buffer.length) {
      const bytesRead = readSync(handle, buffer, filled, buffer.length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return buffer.subarray(0, filled);
  } finally {
    closeSync(handle);
  }
}

function statOrNull(file: string): Stats | null {
  try {
    return statSync(file, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    // The caller reports the file as missing, for any reason.
    if (isFileError(error)) return null;
    throw error;
  }
}

function byNumberThenName(a: string, b: string): number {
  const difference = leadingNumber(a) - leadingNumber(b);
  if (difference) return difference;
  return a < b ? -1 : a > b ? 1 : 0;
}

function leadingNumber(name: string): number {
  const match = /^(\d{1,15})\.json$/.exec(name);
  return match ? Number(match[1]) : Number.MAX_SAFE_INTEGER;
}
