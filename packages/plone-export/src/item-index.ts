import {
  type ByteRange,
  type ExportFolder,
  isJsonObject,
  type JsonObject,
  loadAhead,
  type ProblemLog,
  parentPathOf,
  parentsFirst,
  stringOrNull,
  uidFromPath,
} from '@canopy-server/site-reader';
import { fieldKeysOf, reportOldNames, withPresentNames } from './item-keys.ts';
import { streamJsonList } from './json-list.ts';
import {
  addressOf,
  guessRoot,
  isRoot,
  pathnameOf,
  rootAddressFrom,
  type SiteAddress,
  siteAddress,
} from './site-address.ts';

/** A file with one object, or with a list of objects. */
export type ItemFile = { name: string; holds: 'object' | 'list' };

/** The data of each object in memory: enough to order all objects and to load each again. */
export type IndexEntry = {
  path: string;
  uid: string;
  type: string;
  file: string;
  range: ByteRange | undefined;
  hasComments: boolean;
  keys: readonly string[] | null;
  layout: string | null;
};

export type ItemIndex = { entries: IndexEntry[]; site: SiteAddress; has(path: string): boolean };

/** The key under which plone.exportimport and collective.exportimport keep an object's own comments. */
export const CONVERSATION = 'exportimport.conversation';

type Scanned = {
  address: string;
  isRoot: boolean;
  uid: string | null;
  type: string;
  file: string;
  range: ByteRange | undefined;
  hasComments: boolean;
  keys: readonly string[] | null;
  layout: string | null;
};

/** Maximum number of stored sets of fields: objects of one type have a few different sets. */
const MAX_KEY_SETS = 5000;

/** Shares one list between all objects with the same fields. Returns null when there are too many different sets. */
function keySets(): (raw: JsonObject) => readonly string[] | null {
  const known = new Map<string, readonly string[]>();
  return (raw) => {
    const keys = fieldKeysOf(raw);
    const mark = JSON.stringify(keys);
    const same = known.get(mark);
    if (same) return same;
    if (known.size >= MAX_KEY_SETS) return null;
    known.set(mark, keys);
    return keys;
  };
}

/**
 * Loads all objects once and keeps only the address and the place of each. One pass cannot yield the objects in order, because exports have no
 * guaranteed order, and the root, which all addresses are relative to, may come last.
 */
export async function indexItems(
  files: ItemFile[],
  folder: ExportFolder,
  { problems, siteRoot }: { problems: ProblemLog; siteRoot?: string | undefined },
): Promise<ItemIndex> {
  const scanned: Scanned[] = [];
  const keysOf = keySets();
  let ownRoot: string | null = null;
  let parentRoot: string | null = null;
  for await (const { file, range, value } of loadAll(files, folder, problems)) {
    if (reportUnexported(value, file, problems)) continue;
    const address = isJsonObject(value) ? addressOf(value) : null;
    const type = isJsonObject(value) ? stringOrNull(value['@type']) : null;
    if (!isJsonObject(value) || !address || !type) {
      problems.add({
        reason: 'object',
        file,
        path: address,
        message: 'The object has no @id or no @type and is left out.',
      });
      continue;
    }
    if (isRoot(value)) ownRoot ??= rootAddressFrom(value);
    else parentRoot ??= rootAddressFrom(value);
    const conversation = value[CONVERSATION];
    scanned.push({
      address,
      isRoot: isRoot(value),
      uid: stringOrNull(value.UID),
      type,
      file,
      range,
      hasComments: Array.isArray(conversation) && conversation.length > 0,
      keys: keysOf(withPresentNames(value)),
      layout: stringOrNull(value.layout),
    });
  }
  const root = siteRoot ?? ownRoot ?? parentRoot ?? guessRoot(scanned.map(({ address }) => address));
  if (root === null && scanned.length > 0)
    problems.add({
      reason: 'system',
      message:
        'The export does not tell where the site root is: addresses are taken as they are. Say it with --site-root.',
    });
  const site = siteAddress(root, (pathname) =>
    scanned.some((item) => !item.isRoot && pathnameOf(item.address) === pathname),
  );
  // The scanned texts are released before the places are sorted.
  const entries = order(locateAll(scanned.splice(0), site, problems), problems);
  const paths = new Set(entries.map(({ path: contentPath }) => contentPath.normalize('NFC')));
  return { entries, site, has: (contentPath) => paths.has(contentPath.normalize('NFC')) };
}

/** Loads an object again. Returns undefined when that fails; the reason is in the problem log. */
export async function loadEntry(
  { file, range, path: contentPath }: IndexEntry,
  folder: ExportFolder,
  problems: ProblemLog,
): Promise<JsonObject | undefined> {
  const value = await folder.json(file, range ? { range } : {});
  if (isJsonObject(value)) {
    reportOldNames(value, contentPath, problems);
    return withPresentNames(value);
  }
  if (value !== undefined)
    problems.add({ reason: 'unreadable', file, path: contentPath, message: 'The file changed while it was read.' });
  return undefined;
}

async function* loadAll(
  files: ItemFile[],
  folder: ExportFolder,
  problems: ProblemLog,
): AsyncGenerator<{ file: string; range?: ByteRange; value: unknown }> {
  const objects = files.filter(({ holds }) => holds === 'object');
  const load = async ({ name }: ItemFile): Promise<{ file: string; value: unknown }> => ({
    file: name,
    value: await folder.json(name),
  });
  for await (const object of loadAhead(objects, load)) if (object.value !== undefined) yield object;
  for (const { name } of files.filter(({ holds }) => holds === 'list'))
    for await (const element of streamJsonList(folder, name, problems)) yield { file: name, ...element };
}

/**
 * Reports the objects that collective.exportimport could not export: it lists them at the end of a list or in
 * errors.json.
 */
function reportUnexported(value: unknown, file: string, problems: ProblemLog): boolean {
  if (!isJsonObject(value) || !Array.isArray(value.unexported_paths)) return false;
  for (const failure of value.unexported_paths) {
    const path = isJsonObject(failure) ? stringOrNull(failure.path) : stringOrNull(failure);
    const reason = isJsonObject(failure) ? stringOrNull(failure.message) : null;
    problems.add({
      reason: 'unexported',
      file,
      path,
      message: `The old site could not export it${reason ? `: ${reason}` : '.'}`,
    });
  }
  return true;
}

function locateAll(scanned: Scanned[], site: SiteAddress, problems: ProblemLog): IndexEntry[] {
  const entries: IndexEntry[] = [];
  const paths = new Set<string>();
  const uids = new Set<string>();
  for (const { address, isRoot: isTheRoot, uid, type, file, range, hasComments, keys, layout } of scanned) {
    const contentPath = isTheRoot ? '/' : site.contentPath(address);
    const reason = contentPath === null ? 'is no valid address' : paths.has(contentPath) ? 'is there twice' : null;
    if (contentPath === null || reason) {
      problems.add({
        reason: 'object',
        file,
        path: contentPath ?? address.slice(0, 300),
        message: `${address.slice(0, 300)} ${reason}; the object is left out.`,
      });
      continue;
    }
    const isTaken = uid !== null && uids.has(uid);
    if (isTaken || (uid === null && !isTheRoot)) {
      const reason = isTaken ? `The UID ${uid} belongs to another object` : 'The object has no UID';
      problems.add({
        reason: 'renamed',
        file,
        path: contentPath,
        key: 'UID',
        message: `${reason}; it gets one made from its path.`,
      });
    }
    const ownUid = uid === null || isTaken ? uidFromPath(contentPath) : uid;
    paths.add(contentPath);
    uids.add(ownUid);
    // An object literal takes half the memory of an object made by spreading, and there is an entry for each object of the export.
    entries.push({ path: contentPath, uid: ownUid, type, file, range, hasComments, keys, layout });
  }
  return entries;
}

function order(entries: IndexEntry[], problems: ProblemLog): IndexEntry[] {
  const paths = new Set(entries.map((entry) => entry.path));
  for (const { file, path: contentPath } of entries) {
    const parent = parentPathOf(contentPath);
    if (parent !== null && parent !== '/' && !paths.has(parent))
      problems.add({
        reason: 'container',
        file,
        path: contentPath,
        message: `The parent ${parent} is not in the export.`,
      });
  }
  return [
    ...parentsFirst(
      entries,
      (entry) => entry.path,
      (entry) => parentPathOf(entry.path),
    ),
  ];
}
