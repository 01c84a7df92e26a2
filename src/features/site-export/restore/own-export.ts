import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  ExportRefused,
  FORMAT_VERSION,
  isManifest,
  MANIFEST,
  type Manifest,
  OWN_FOLDER,
  tableFile,
} from '../format.ts';
import { linesOf } from './read-lines.ts';

/** An export of this server in a folder. */
export type OwnExport = {
  folder: string;
  manifest: Manifest;
  /** The path of a file of the export. Throws ExportRefused for a missing file, and for a file outside of the folder. */
  locate(name: string): Promise<string>;
  /** The rows of a table, in the order of the export. Throws ExportRefused when their number differs from the manifest. */
  rows(table: string): AsyncGenerator<string>;
};

async function loadManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ExportRefused(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isManifest(value)) throw new ExportRefused(`${file} is not what an export has there.`);
  if (value.version > FORMAT_VERSION)
    throw new ExportRefused(
      'The export is of a newer version of Canopy. Import it with that version, or upgrade this one.',
    );
  return value;
}

/**
 * Opens an export of this server; undefined for a folder that has none.
 * @throws ExportRefused for one that is not whole, or is of a newer version
 */
export async function openOwnExport(folder: string): Promise<OwnExport | undefined> {
  if (!existsSync(join(folder, OWN_FOLDER))) return undefined;
  if (!existsSync(join(folder, MANIFEST)))
    throw new ExportRefused(`The export in ${folder} is not whole: it has no ${MANIFEST}. Export the site again.`);
  const root = await realpath(folder);
  const manifest = await loadManifest(folder);
  const locate = async (name: string): Promise<string> => {
    let place: string;
    try {
      place = await realpath(join(root, name));
    } catch {
      // Every failure means that the file cannot be read.
      throw new ExportRefused(`The export in ${folder} is not whole: ${name} is missing.`);
    }
    if (!place.startsWith(root + sep)) throw new ExportRefused(`${name} leads out of the export and is refused.`);
    return place;
  };
  return {
    folder,
    manifest,
    locate,
    async *rows(table) {
      const wanted = manifest.tables[table] ?? 0;
      if (wanted === 0) return;
      let count = 0;
      for await (const line of linesOf(await locate(tableFile(table)))) {
        count += 1;
        yield line;
      }
      if (count !== wanted)
        throw new ExportRefused(`The export is not whole: ${tableFile(table)} has ${count} rows, and had ${wanted}.`);
    },
  };
}
