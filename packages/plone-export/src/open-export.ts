import { openCollectiveExportimport } from './collective-exportimport.ts';
import { openExportFolder } from './export-folder.ts';
import type { ExportSource } from './model.ts';
import type { LinkForms } from './old-links.ts';
import { openPloneExportimport } from './plone-exportimport.ts';
import { ExportError, type ProblemLog } from './problems.ts';

/** How an export is read. */
export type ExportOptions = {
  /** Takes what cannot be read. */
  problems: ProblemLog;
  links: LinkForms;
  /** The address of the root of the old site, for exports that do not show it. */
  siteRoot?: string | undefined;
};

/**
 * Opens an exported site: a folder, or for collective.exportimport also a JSON file with the list of items.
 * The format is recognised by the names of files. No file is loaded before the source is asked for it.
 * @throws ExportError when `dir` is not there or is an export of neither format; the message lists what was looked for
 */
export async function openExport(dir: string, options: ExportOptions): Promise<ExportSource> {
  const { folder, listFile } = await openExportFolder(dir, options.problems);
  const source =
    (listFile === null ? await openPloneExportimport(folder, options) : null) ??
    (await openCollectiveExportimport(folder, { ...options, listFile }));
  if (source) return source;
  throw new ExportError(
    `${dir} is not an export that can be read. Looked for content/__metadata__.json or __metadata__.json ` +
      '(plone.exportimport), and for items/<number>.json, <number>.json or a .json file with a list of items ' +
      '(collective.exportimport).',
  );
}
