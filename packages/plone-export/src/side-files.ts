import path from 'node:path';
import type { ExportFolder, ProblemLog } from '@canopy-server/site-reader';
import type { ItemFile } from './item-index.ts';
import { peekJson } from './peek-json.ts';

/** The parts of an export of collective.exportimport beside its objects. */
const SIDE_FILES = [
  ...(['members', 'ordering', 'localroles', 'defaultpages', 'discussion', 'portlets', 'redirects'] as const),
  ...(['relations', 'translations', 'constrains'] as const),
] as const;
type SideFile = (typeof SIDE_FILES)[number];

/** The files of an export: files of objects, and files of each other part. */
export type FoundFiles = { items: ItemFile[]; side: Record<SideFile, string[]> };

/** Maximum number of searched folders, and of their levels below the export. */
const MAX_FOLDERS = 10_000;
const MAX_DEPTH = 6;

/** Folders that are not searched: folders of blobs, whose JSON files are content, and folders of the system. */
const NOT_LOOKED_INTO = /^(?:\.|__MACOSX$|blobs$|blobstorage$|node_modules$)/;

const isNumbered = (name: string): boolean => /^\d+\.json$/.test(name);

/**
 * Finds the files of an export in any folders: by their usual names, with or without the prefix `export_`, else by their contents. Files that do not
 * belong to an export are reported.
 */
export async function findFiles(folder: ExportFolder, problems: ProblemLog): Promise<FoundFiles> {
  const found: FoundFiles = {
    items: [],
    side: Object.fromEntries(SIDE_FILES.map((name) => [name, []])) as unknown as FoundFiles['side'],
  };
  const waiting = [{ name: '.', depth: 0 }];
  for (let count = 0; count < MAX_FOLDERS; count += 1) {
    const next = waiting.shift();
    if (!next) break;
    const hasObject = await findIn(folder, next.name, found, problems);
    // The folder of an object contains only its files.
    if (hasObject || next.depth >= MAX_DEPTH) continue;
    for (const name of await folder.folders(next.name)) {
      if (!NOT_LOOKED_INTO.test(name)) waiting.push({ name: path.join(next.name, name), depth: next.depth + 1 });
    }
  }
  return found;
}

/** Finds the files in a folder. Returns true if it is the folder of one object: `<uid>/data.json`. */
async function findIn(folder: ExportFolder, place: string, found: FoundFiles, problems: ProblemLog): Promise<boolean> {
  const names = (await folder.list(place)).filter((name) => name.endsWith('.json'));
  // The first of numbered files shows the kind of all of them.
  const numbered = names.filter(isNumbered);
  const [sample] = numbered;
  const holdsObjects = sample !== undefined && (await kindOf(folder, place, sample)) !== 'list';
  for (const name of names) {
    const file = path.join(place, name);
    const kind = holdsObjects && isNumbered(name) ? 'object' : await kindOf(folder, place, name);
    if (kind === 'object' || kind === 'list') found.items.push({ name: file, holds: kind });
    else if (kind === 'nothing') continue;
    else if (kind !== undefined) found.side[kind].push(file);
    else
      problems.add({ reason: 'unreadable', file, message: 'The file is no known part of an export; it is left out.' });
  }
  return names.includes('data.json');
}

/** The kind of a file's content; undefined for a file that is not part of an export. */
async function kindOf(
  folder: ExportFolder,
  place: string,
  name: string,
): Promise<'object' | 'list' | 'nothing' | SideFile | undefined> {
  const named = sideFileNamed(name);
  const peeked = await peekJson(folder, path.join(place, name));
  if (!peeked) return named ?? (isNumbered(name) || name === 'data.json' ? 'object' : undefined);
  const { isList, keys, isEmpty } = peeked;
  const has = (...all: string[]) => all.every((key) => keys.includes(key));
  if (has('@type') && (has('@id') || has('UID') || has('id'))) return isList ? 'list' : 'object';
  if (has('unexported_paths')) return isList ? 'list' : 'object';
  if (named !== undefined) return named;
  if (keys.length === 0) return isEmpty && (isList || isNumbered(name)) ? 'nothing' : undefined;
  return isList ? sideFileOfList(has, keys) : sideFileOfObject(has, keys);
}

/** The part of an export by the name of its file. */
function sideFileNamed(name: string): SideFile | undefined {
  const plain = name
    .slice(0, -'.json'.length)
    .toLowerCase()
    .replace(/^(?:export|import|plone)[_-]+/, '')
    .replace(/[_-]/g, '');
  const usual = plain === 'principals' ? 'members' : plain === 'discussions' ? 'discussion' : plain;
  return SIDE_FILES.find((known) => known === usual);
}

type Has = (...keys: string[]) => boolean;

/** The keys of an element of translations are languages. */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/;

function sideFileOfList(has: Has, keys: readonly string[]): SideFile | undefined {
  if (has('from_uuid', 'to_uuid')) return 'relations';
  if (has('canonical') || keys.every((key) => LANGUAGE.test(key))) return 'translations';
  if (!has('uuid')) return undefined;
  if (has('order')) return 'ordering';
  if (has('default_page')) return 'defaultpages';
  if (has('conversation')) return 'discussion';
  if (has('portlets') || has('blacklist_status')) return 'portlets';
  if (has('locally_allowed_types') || has('immediately_addable_types')) return 'constrains';
  return has('localroles') || has('local_roles') || has('block') ? 'localroles' : undefined;
}

function sideFileOfObject(has: Has, keys: readonly string[]): SideFile | undefined {
  if (has('members') || has('groups')) return 'members';
  return keys.every((key) => key.startsWith('/')) ? 'redirects' : undefined;
}
