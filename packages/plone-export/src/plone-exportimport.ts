import path from 'node:path';
import {
  ExportError,
  type ExportedPart,
  type ExportFolder,
  type ExportSource,
  isJsonObject,
  type JsonObject,
  memberOf,
  openExportFolder,
  type ProblemLog,
  type ReadOptions,
  stringsOf,
} from '@canopy-server/site-reader';
import { createSource } from './create-source.ts';
import type { ItemFile } from './item-index.ts';
import {
  addConstrains,
  addDefaultPage,
  addLocalPermissions,
  addLocalRoles,
  addPosition,
  emptySideData,
  type SideData,
} from './side-data.ts';

const METADATA = '__metadata__.json';

/**
 * Opens an export of plone.exportimport: `content/__metadata__.json`, `content/<uid>/data.json`, and beside
 * `content` the principals, redirects, translations, relations and discussions. `folder` may be `content` itself.
 * @returns null when there is no such export
 */
export async function openPloneExportimport(
  folder: ExportFolder,
  options: ReadOptions,
  depth = 0,
): Promise<ExportSource | null> {
  const content = await contentFolder(folder);
  if (content === null) return openBelow(folder, options, depth);
  await reportOtherFiles(folder, content, options.problems);
  const present = async (name: string): Promise<string[]> => ((await folder.has(name)) ? [name] : []);
  const metadata = () => loadMetadata(folder, content);
  return createSource({
    ...options,
    format: 'plone.exportimport',
    folder,
    itemFiles: async () => itemFiles(await metadata(), content, folder),
    sideData: async () => loadSideData(await metadata()),
    conversations: () => conversations(folder),
    present: async () => [
      ...partsIn(await metadata()),
      ...((await folder.has('discussions.json')) ? (['comments'] as const) : []),
    ],
    files: {
      principals: await present('principals.json'),
      redirects: await present('redirects.json'),
      translations: await present('translations.json'),
      relations: await present('relations.json'),
      portlets: await present('portlets.json'),
    },
  });
}

/** Maximum depth of folders around an export that are searched, and their maximum number. */
const MAX_DEPTH = 2;
const MAX_FOLDERS = 100;

/** Opens the export in a folder below, because archives often contain the export in a folder. */
async function openBelow(folder: ExportFolder, options: ReadOptions, depth: number): Promise<ExportSource | null> {
  if (depth >= MAX_DEPTH) return null;
  for (const name of (await folder.folders('.')).slice(0, MAX_FOLDERS)) {
    const { folder: below } = await openExportFolder(path.join(folder.root, name), options.problems);
    const source = await openPloneExportimport(below, options, depth + 1);
    if (source) return source;
  }
  return null;
}

const KNOWN_FILES = new Set([
  ...['principals', 'redirects', 'translations', 'relations', 'discussions', 'portlets', '__metadata__'].map(
    (name) => `${name}.json`,
  ),
]);

async function reportOtherFiles(folder: ExportFolder, content: string, problems: ProblemLog): Promise<void> {
  for (const place of new Set(['.', content])) {
    for (const name of await folder.list(place)) {
      if (!name.endsWith('.json') || KNOWN_FILES.has(name)) continue;
      const message = 'The file is no known part of an export; it is left out.';
      problems.add({ reason: 'unreadable', file: path.join(place, name), message });
    }
  }
}

async function contentFolder(folder: ExportFolder): Promise<string | null> {
  for (const name of ['content', '.']) if (await folder.has(path.join(name, METADATA))) return name;
  return null;
}

/** The metadata of an export. Throws ExportError for an invalid file, because no object can be placed without it. */
async function loadMetadata(folder: ExportFolder, content: string): Promise<JsonObject> {
  const name = path.join(content, METADATA);
  const metadata = await folder.json(name);
  if (!isJsonObject(metadata))
    throw new ExportError(`${name} cannot be read as an object of JSON. Export the site again.`);
  const list = memberOf(metadata, '_data_files_');
  if (list !== undefined && !(Array.isArray(list) && list.every((file) => typeof file === 'string')))
    throw new ExportError(`${name} is broken: "_data_files_" must be a list of files. Export the site again.`);
  for (const [key] of PARTS) {
    const part = memberOf(metadata, key);
    if (part !== undefined && part !== null && !isJsonObject(part))
      throw new ExportError(`${name} is broken: "${key}" must be an object by UIDs. Export the site again.`);
  }
  return metadata;
}

/** Returns the files of objects in the order of the list in the metadata; folders that it does not name come last. */
async function itemFiles(metadata: unknown, content: string, folder: ExportFolder): Promise<ItemFile[]> {
  const names = new Set(stringsOf(memberOf(metadata, '_data_files_')).map((name) => path.join(content, name)));
  for (const uid of await folder.list(content)) {
    const name = path.join(content, uid, 'data.json');
    if (!names.has(name) && (await folder.has(name))) names.add(name);
  }
  return [...names].map((name) => ({ name, holds: 'object' }));
}

/** Parts by their keys in the metadata. */
const PARTS: [key: string, part: ExportedPart][] = [
  ['ordering', 'positions'],
  ['local_roles', 'localRoles'],
  ['local_permissions', 'localPermissions'],
  ['default_page', 'defaultPages'],
  ['constraints', 'constrains'],
];

/** The parts in the metadata, also empty ones. An empty list of positions does not occur. */
const partsIn = (metadata: JsonObject): ExportedPart[] =>
  PARTS.flatMap(([key, part]) => (part !== 'positions' && isJsonObject(memberOf(metadata, key)) ? [part] : []));

function loadSideData(metadata: unknown): SideData {
  const data = emptySideData();
  const each = (key: string, add: (data: SideData, uid: unknown, value: unknown) => void): void => {
    const values = memberOf(metadata, key);
    for (const [uid, value] of isJsonObject(values) ? Object.entries(values) : []) add(data, uid, value);
  };
  each('ordering', addPosition);
  each('local_roles', addLocalRoles);
  each('local_permissions', addLocalPermissions);
  each('default_page', addDefaultPage);
  each('constraints', addConstrains);
  return data;
}

async function* conversations(folder: ExportFolder): AsyncGenerator<{ uid: string; conversation: unknown }> {
  const all = await folder.json('discussions.json', { optional: true });
  for (const [uid, conversation] of isJsonObject(all) ? Object.entries(all) : []) yield { uid, conversation };
}
