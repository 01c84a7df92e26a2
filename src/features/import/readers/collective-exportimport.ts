import path from 'node:path';
import type { ExportFolder } from '../export-folder.ts';
import type { ProblemLog } from '../import-report.ts';
import type { ImportSource } from '../import-source.ts';
import { memberOf, stringOrNull } from '../json-values.ts';
import { createSource } from './create-source.ts';
import type { ItemFile } from './item-index.ts';
import { isJsonList, streamJsonList } from './json-list.ts';
import {
  addConstrains,
  addDefaultPage,
  addLocalRoles,
  addPosition,
  emptySideData,
  type SideData,
} from './side-data.ts';

/** Files beside the objects. Older versions put `export_` before these names. */
const SIDE_FILES = [
  ...['members', 'ordering', 'localroles', 'defaultpages', 'discussion', 'portlets', 'redirects'],
  ...['relations', 'translations', 'constrains'],
] as const;
type SideFile = Exclude<(typeof SIDE_FILES)[number], 'portlets'>;

/**
 * Opens an export of collective.exportimport: objects one a file (`items/1.json` …, or the numbered files
 * themselves), or one or more files with lists of objects; beside them its other exports, each of which may be
 * absent. `listFile` is the only file of objects when it is given.
 * @returns null when there is no such export
 */
export async function openCollectiveExportimport(
  folder: ExportFolder,
  problems: ProblemLog,
  listFile: string | null,
): Promise<ImportSource | null> {
  const itemFiles = await findItemFiles(folder, listFile);
  if (itemFiles.length === 0) return null;
  const names = await sideFileNames(folder);
  return createSource({
    format: 'collective.exportimport',
    folder,
    problems,
    itemFiles: async () => itemFiles,
    sideData: () => loadSideData(folder, names, problems),
    conversations: () => conversations(folder, names.discussion, problems),
    files: {
      principals: names.members,
      redirects: names.redirects,
      translations: names.translations,
      relations: names.relations,
    },
  });
}

async function findItemFiles(folder: ExportFolder, listFile: string | null): Promise<ItemFile[]> {
  if (listFile !== null) return (await isJsonList(folder, listFile)) ? [{ name: listFile, holds: 'list' }] : [];
  const inItems = await folder.list('items');
  if (inItems.some(isNumbered)) return objectFiles('items', inItems);
  const here = await folder.list('.');
  if (here.some(isNumbered))
    return objectFiles(
      '.',
      here.filter((name) => isNumbered(name) || name === 'errors.json'),
    );
  const lists: ItemFile[] = [];
  for (const name of here) {
    if (!name.endsWith('.json') || isSideFile(name)) continue;
    if (await isJsonList(folder, name)) lists.push({ name, holds: 'list' });
  }
  return lists;
}

function objectFiles(place: string, names: string[]): ItemFile[] {
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ name: path.join(place, name), holds: 'object' }));
}

function isNumbered(name: string): boolean {
  return /^\d+\.json$/.test(name);
}

function isSideFile(name: string): boolean {
  const plain = name.startsWith('export_') ? name.slice('export_'.length) : name;
  return SIDE_FILES.some((known) => plain === `${known}.json`);
}

async function sideFileNames(folder: ExportFolder): Promise<Record<SideFile, string>> {
  const nameOf = async (file: SideFile): Promise<string> =>
    (await folder.has(`export_${file}.json`)) ? `export_${file}.json` : `${file}.json`;
  return {
    members: await nameOf('members'),
    ordering: await nameOf('ordering'),
    localroles: await nameOf('localroles'),
    defaultpages: await nameOf('defaultpages'),
    discussion: await nameOf('discussion'),
    redirects: await nameOf('redirects'),
    relations: await nameOf('relations'),
    translations: await nameOf('translations'),
    constrains: await nameOf('constrains'),
  };
}

async function loadSideData(
  folder: ExportFolder,
  names: Record<SideFile, string>,
  problems: ProblemLog,
): Promise<SideData> {
  const data = emptySideData();
  const each = async (name: string, add: (uid: unknown, value: unknown) => void): Promise<void> => {
    for await (const { value } of streamJsonList(folder, name, problems, { optional: true }))
      add(memberOf(value, 'uuid'), value);
  };
  await each(names.ordering, (uid, value) => addPosition(data, uid, memberOf(value, 'order')));
  await each(names.localroles, (uid, value) => addLocalRoles(data, uid, value));
  await each(names.defaultpages, (uid, value) => addDefaultPage(data, uid, value));
  await each(names.constrains, (uid, value) => addConstrains(data, uid, value));
  return data;
}

async function* conversations(
  folder: ExportFolder,
  name: string,
  problems: ProblemLog,
): AsyncGenerator<{ uid: string; conversation: unknown }> {
  for await (const { value } of streamJsonList(folder, name, problems, { optional: true })) {
    const uid = stringOrNull(memberOf(value, 'uuid'));
    if (uid === null) problems.add({ file: name, message: 'A conversation has no uuid and is left out.' });
    else yield { uid, conversation: memberOf(value, 'conversation') };
  }
}
