import {
  type ExportedPart,
  type ExportFolder,
  type ExportSource,
  memberOf,
  type ProblemLog,
  type ReadOptions,
  stringOrNull,
} from '@canopy-server/site-reader';
import { createSource } from './create-source.ts';
import { streamJsonList } from './json-list.ts';
import {
  addConstrains,
  addDefaultPage,
  addLocalRoles,
  addPosition,
  emptySideData,
  type SideData,
} from './side-data.ts';
import { type FoundFiles, findFiles } from './side-files.ts';

/**
 * Opens an export of collective.exportimport: files with one object each, or with lists of objects, and beside them its other
 * exports, each of which may be absent. They may lie in any folders and have any names.
 * @param listFile the only file of objects when it is given
 * @returns null when there is no such export
 */
export async function openCollectiveExportimport(
  folder: ExportFolder,
  { listFile, ...options }: ReadOptions & { listFile: string | null },
): Promise<ExportSource | null> {
  const { problems } = options;
  const found = await findFiles(folder, problems);
  const items = listFile === null ? found.items : found.items.filter(({ name }) => name === listFile);
  if (items.length === 0) return null;
  const { side } = found;
  return createSource({
    ...options,
    format: 'collective.exportimport',
    folder,
    // The list is needed only once and freed then, because the index has the names.
    itemFiles: async () => items.splice(0),
    sideData: () => loadSideData(folder, side, problems),
    conversations: () => conversations(folder, side.discussion, problems),
    present: async () => partsWith(side),
    files: {
      principals: side.members,
      redirects: side.redirects,
      translations: side.translations,
      relations: side.relations,
      portlets: side.portlets,
    },
  });
}

/** The parts of which the export has a file. An empty file of positions does not occur. */
function partsWith(side: FoundFiles['side']): ExportedPart[] {
  const files: [ExportedPart, string[]][] = [
    ['localRoles', side.localroles],
    ['defaultPages', side.defaultpages],
    ['constrains', side.constrains],
    ['comments', side.discussion],
  ];
  return files.flatMap(([part, names]) => (names.length > 0 ? [part] : []));
}

async function loadSideData(folder: ExportFolder, side: FoundFiles['side'], problems: ProblemLog): Promise<SideData> {
  const data = emptySideData();
  const each = async (names: string[], add: (uid: unknown, value: unknown) => void): Promise<void> => {
    for (const name of names)
      for await (const { value } of streamJsonList(folder, name, problems)) add(memberOf(value, 'uuid'), value);
  };
  await each(side.ordering, (uid, value) => addPosition(data, uid, memberOf(value, 'order')));
  await each(side.localroles, (uid, value) => addLocalRoles(data, uid, value));
  await each(side.defaultpages, (uid, value) => addDefaultPage(data, uid, value));
  await each(side.constrains, (uid, value) => addConstrains(data, uid, value));
  return data;
}

async function* conversations(
  folder: ExportFolder,
  names: string[],
  problems: ProblemLog,
): AsyncGenerator<{ uid: string; conversation: unknown }> {
  for (const name of names) {
    for await (const { value } of streamJsonList(folder, name, problems)) {
      const uid = stringOrNull(memberOf(value, 'uuid'));
      if (uid !== null) yield { uid, conversation: memberOf(value, 'conversation') };
      else
        problems.add({
          reason: 'unsupported',
          file: name,
          key: 'comments',
          message: 'A conversation has no uuid and is left out.',
        });
    }
  }
}
