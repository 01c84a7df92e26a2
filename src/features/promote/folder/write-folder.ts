import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigError } from '#core';
import { isJsonObject } from '#lib/json-object';
import { writeHashedFile } from '../forms/hashed-file.ts';
import { hashesIn, type ObjectForm } from '../forms/object-form.ts';
import type { Scope } from '../forms/scope.ts';
import { stableText } from '../forms/stable-json.ts';
import type { Place } from '../places/place.ts';
import {
  CONTENT,
  FILES,
  filePlace,
  folderOf,
  MARK,
  MARK_FILE,
  OBJECT_FILE,
  ORDER_FILE,
  SETUP,
} from './folder-names.ts';

/** The counts of what was written, and lines about what is not in it. */
export type Written = { objects: number; files: number; pieces: number; removed: number; notes: readonly string[] };

/** Says if a folder has the mark of an earlier one. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const file = join(folder, MARK_FILE);
  if (!existsSync(file)) return false;
  try {
    const mark: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isJsonObject(mark) && mark.format === MARK.format;
  } catch {
    return false;
  }
}

/** Throws ConfigError unless the folder is new, empty but for hidden files, or has an earlier form that is to be replaced. */
async function requireFolder(folder: string, replace: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  if (names.length === 0) return;
  if (!(await isOwnFolder(folder)))
    throw new ConfigError(`The folder ${folder} has something else in it: name an empty one.`);
  if (!replace) throw new ConfigError(`The folder ${folder} has an earlier copy: --replace replaces it.`);
}

/** Paths of the files in a folder, below it. */
async function filesBelow(folder: string, prefix: string): Promise<string[]> {
  if (!existsSync(join(folder, prefix))) return [];
  const entries = await readdir(join(folder, prefix), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** A folder that is being written: what stays the same is not written again, and what nobody wrote goes at the end. */
class FolderWriter {
  readonly #folder: string;
  readonly #written = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async json(path: string, value: unknown, first?: readonly string[]): Promise<void> {
    const file = join(this.#folder, path);
    const text = stableText(value, first);
    this.#written.add(path);
    if (existsSync(file) && (await readFile(file, 'utf8')) === text) return;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Writes a file of a hash, unless it is there: its bytes cannot be others. Returns whether it is the first of it. */
  async blob(hash: string, open: () => Promise<NodeJS.ReadableStream>): Promise<boolean> {
    const path = filePlace(hash);
    if (this.#written.has(path)) return false;
    this.#written.add(path);
    await writeHashedFile(join(this.#folder, path), open);
    return true;
  }

  /** Removes files of an earlier copy that were not written, and folders that become empty. Returns how many files went. */
  async removeOthers(): Promise<number> {
    const old = (await Promise.all([CONTENT, FILES, SETUP].map((name) => filesBelow(this.#folder, name)))).flat();
    const gone = old.filter((path) => !this.#written.has(path));
    for (const path of gone) {
      await rm(join(this.#folder, path));
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
        const left = await readdir(join(this.#folder, folder)).catch(() => ['?']);
        if (left.length > 0) break;
        await rmdir(join(this.#folder, folder));
      }
    }
    return gone.length;
  }
}

/** The parts of an object that its file has: its path is where it lies, and its place among its siblings is a file beside it. */
const fileForm = ({ uid, type, layout, rights, values, settings }: ObjectForm) => ({
  uid,
  type,
  ...(layout === null ? {} : { layout }),
  ...(rights ? {} : { rights }),
  settings,
  values,
});

/** The keys of the file of an object, in the order in which people read them. */
const FIRST_KEYS = ['uid', 'type', 'layout', 'rights', 'settings', 'values'];

/**
 * Writes a place as a folder: the same place gives the same files. An earlier copy is brought up to date. Throws ConfigError for a folder
 * that cannot be used.
 */
export async function writeFolder(
  place: Place,
  { folder, scope, withSetup, replace }: { folder: string; scope: Scope; withSetup: boolean; replace: boolean },
): Promise<Written> {
  await requireFolder(folder, replace);
  const writer = new FolderWriter(folder);
  const children = new Map<string, { name: string; position: number }[]>();
  const paths = new Set<string>();
  const counts = { objects: 0, files: 0 };
  for await (const form of place.objects(scope)) {
    await writer.json(`${folderOf(form.path)}/${OBJECT_FILE}`, fileForm(form), FIRST_KEYS);
    for (const hash of hashesIn(form)) if (await writer.blob(hash, () => place.file(hash, form.uid))) counts.files += 1;
    counts.objects += 1;
    paths.add(form.path);
    if (form.place.parent === '') continue;
    const parent = form.path.slice(0, form.path.lastIndexOf('/')) || '/';
    const siblings = children.get(parent) ?? [];
    siblings.push({ name: form.place.name, position: form.position });
    children.set(parent, siblings);
  }
  const notes: string[] = [];
  if (scope.path !== '/' && counts.objects === 0) {
    const empty = `${place.label} has no content at ${scope.path} that can be read.`;
    // A wrong path would empty an earlier copy. A new one has the set-up, and stands for a site before the content is there.
    if (replace || !withSetup) throw new ConfigError(empty);
    notes.push(empty);
  }
  for (const [parent, list] of children) {
    // The order of a container that is outside of the part is not known as a whole.
    if (!paths.has(parent)) continue;
    const names = list.sort((a, b) => a.position - b.position || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
    await writer.json(`${folderOf(parent)}/${ORDER_FILE}`, names);
  }
  const setup = withSetup ? await place.setup() : { files: new Map<string, unknown>(), notes: [] };
  for (const [path, data] of setup.files) await writer.json(`${SETUP}/${path}`, data);
  const removed = await writer.removeOthers();
  await writer.json(MARK_FILE, { ...MARK, path: scope.path });
  return { ...counts, pieces: setup.files.size, removed, notes: [...notes, ...setup.notes] };
}
