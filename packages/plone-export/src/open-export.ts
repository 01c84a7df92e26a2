import {
  defineReader,
  ExportError,
  type ExportSource,
  openExportFolder,
  type ReadOptions,
} from '@canopy-server/site-reader';
import { openCollectiveExportimport } from './collective-exportimport.ts';
import { openPloneExportimport } from './plone-exportimport.ts';

const LOOKS_FOR =
  'content/__metadata__.json or __metadata__.json (plone.exportimport), and for items/<number>.json, <number>.json or a .json file ' +
  'with a list of items (collective.exportimport)';

/** Opens an export of one of the formats; null when the place has none. */
async function findExport(dir: string, options: ReadOptions): Promise<ExportSource | null> {
  const { folder, listFile } = await openExportFolder(dir, options.problems);
  return (
    (listFile === null ? await openPloneExportimport(folder, options) : null) ??
    (await openCollectiveExportimport(folder, { ...options, listFile }))
  );
}

/**
 * Opens an exported site: a folder, or for collective.exportimport also a JSON file with the list of items. The format is recognised by the names of
 * files. Each file is loaded only when the source needs it.
 * @throws ExportError when `dir` is not there or is an export of neither format; the message lists the expected files
 */
export async function openExport(dir: string, options: ReadOptions): Promise<ExportSource> {
  const source = await findExport(dir, options);
  if (source) return source;
  throw new ExportError(`${dir} is not an export that can be read. Looked for ${LOOKS_FOR}.`);
}

/** Options for recognizing a place without resolving links or reporting problems. */
const GLANCE: ReadOptions = {
  problems: { add: () => {}, note: () => {} },
  links: { replaceInHtml: (html) => html, parseReference: () => undefined, referenceTo: (uid) => uid },
};

/** The reader of Plone's exports. */
export const ploneReader = defineReader({
  name: 'plone',
  title: 'an export of a Plone site',
  looksFor: LOOKS_FOR,
  async recognises(place) {
    try {
      return (await findExport(place, GLANCE)) !== null;
    } catch (error) {
      if (error instanceof ExportError) return false;
      throw error;
    }
  },
  open: openExport,
});
