import { MAX_PATH_BYTES } from '../../content/name-chooser.ts';
import { namesOf } from '../../content/tree-path.ts';
import type { Constrains } from '../../storage/content-row.ts';
import type { ContentType } from '../../types/content-type.ts';
import type { StoredFile } from '../../types/field-kind.ts';
import { cleanTexts } from './clean-text.ts';
import { constrainsOf, layoutOf, stateOf } from './content-values.ts';
import type { PlannedObject } from './import-plan.ts';
import type { ImportRun } from './import-run.ts';
import type { ImportItem } from './import-source.ts';
import { storeFiles } from './store-files.ts';

/** An exported object that is ready to be written: its texts can be stored, its files are, its type is one of the site. */
export type LoadedItem = {
  planned: PlannedObject;
  name: string;
  item: ImportItem;
  type: ContentType;
  files: ReadonlyMap<string, StoredFile>;
  reviewState: string | null;
  layout: string | null;
  constrains: Constrains | null;
};

/** Readies an exported object, and tells what of it cannot stay as it is. Undefined when it cannot be had at all. */
export async function loadItem(
  run: ImportRun,
  planned: PlannedObject,
  exported: ImportItem,
): Promise<LoadedItem | undefined> {
  const { report, typeOf } = run;
  const { path } = exported;
  const type = typeOf(exported.type);
  if (!type) {
    report.problem({ path, message: `There is no content type ${exported.type}: the object is left out.` });
    return undefined;
  }
  if (Buffer.byteLength(planned.path) > MAX_PATH_BYTES) {
    report.problem({
      path: path.slice(0, 300),
      message: `Its path has more than ${MAX_PATH_BYTES} bytes: the object is left out.`,
    });
    return undefined;
  }
  if (planned.children > 0 && !type.folderish) {
    report.note(
      `Content of the type ${type.id} is no container here: what the export has in it is kept, but not listed.`,
      path,
    );
  }
  const files = await storeFiles(run, exported, type);
  // Base64 of files, which are stored now, would be kept until the batch is written.
  const light = { ...exported, files: exported.files.map(({ base64: _, ...file }) => file) };
  const item = cleanTexts(light);
  if (item !== light) report.problem({ path, message: 'Characters that cannot be stored were replaced by U+FFFD.' });
  return {
    planned,
    name: namesOf(planned.path).at(-1) ?? '',
    item,
    type,
    files,
    reviewState: stateOf(run, item, type),
    layout: layoutOf(run, item, type),
    constrains: constrainsOf(run, item),
  };
}

/** What stands in for a container that the export has no object of: an empty folder, called by its id. */
export function missingContainer(
  { typeOf, report }: ImportRun,
  { exported: { uid, path } }: PlannedObject,
): ImportItem {
  const type = typeOf('Folder')?.id ?? typeOf('Document')?.id ?? 'Folder';
  report.problem({ path, message: `The container is not in the export; it is made as an empty ${type}.` });
  const id = namesOf(path).at(-1) ?? '';
  return {
    ...{ uid, path, type, id, parentPath: null, position: null, fields: { title: id }, given: [] },
    ...{ created: null, modified: null, effective: null, expires: null, reviewState: null, workflowHistory: null },
    ...{
      owner: null,
      creators: [],
      language: null,
      layout: null,
      isFolderish: true,
      localRoles: {},
      blockLocalRoles: false,
    },
    ...{ localPermissions: {}, files: [], constrains: null, defaultPage: null, typeTitle: null },
  };
}
