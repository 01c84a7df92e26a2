import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Command,
  type CommandReport,
  ConfigError,
  callers,
  EXIT,
  type Kernel,
  panelSettings,
  panels,
  profileFiles,
} from '#core';
import { isJsonObject } from '#lib/json-object';
import { importSetup } from './import-setup.ts';
import { SETUP_ID, setupFiles } from './setup-files.ts';

/** True if a folder has an exported set-up. */
async function hasSetup(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'metadata.json'), 'utf8').catch((error: unknown) => {
    if (isJsonObject(error) && error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const metadata: unknown = JSON.parse(text);
    return isJsonObject(metadata) && metadata.id === SETUP_ID;
  } catch {
    return false;
  }
}

/**
 * Makes a folder for a set-up, and returns the files of an earlier set-up in it. Throws ConfigError for a folder with other files, and for an earlier
 * set-up unless `replace` is true, because two set-ups must not be mixed.
 */
async function folderFor(folder: string, replace: boolean): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length === 0) return [];
  const isSetup = await hasSetup(folder);
  if (!replace)
    throw new ConfigError(
      `The folder ${folder} is not empty.${isSetup ? ' It has an earlier export: --replace replaces that.' : ''}`,
    );
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  if (!isSetup && names.length > 0)
    throw new ConfigError(
      `The folder ${folder} has no earlier export: its metadata.json would have the id "${SETUP_ID}". Name an empty folder, such as one in it.`,
    );
  const paths = await Promise.all(
    names.map(async (name) => {
      const isFolder = (await lstat(join(folder, name))).isDirectory();
      return isFolder ? (await readdir(join(folder, name))).map((inner) => `${name}/${inner}`) : [name];
    }),
  );
  return paths.flat().filter(profileFiles.isPieceFile);
}

/** Writes the set-up of a site as the folder of a profile. Returns the notes about missing parts, and the number of files. */
async function exportSetup(kernel: Kernel, folder: string, replace: boolean): Promise<string[]> {
  const old = await folderFor(folder, replace);
  const title = panelSettings(await kernel.sites.current(), panels.site).site_title || 'Set-up';
  const { files, notes } = await kernel.db.transaction((tx) => setupFiles(kernel, tx, title));
  // Old files are removed first, because on some file systems names that differ only in case are the same file.
  for (const path of old.filter((one) => !files.has(one))) await rm(join(folder, path));
  for (const [path, data] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(data, null, 2)}\n`);
  }
  return [...notes, `Exported the set-up of the site: ${files.size} files in ${folder}.`];
}

/** Imports a set-up and reports the changes. */
async function runImport(
  kernel: Kernel,
  request: { folder: string; dryRun: boolean; overwrite: boolean },
): Promise<CommandReport> {
  const { lines, kept, details } = await importSetup(kernel, { ...request, caller: callers.ANONYMOUS });
  return {
    code: kept > 0 ? EXIT.findings : EXIT.done,
    lines: [
      ...(lines.length === 0 ? ['The site has this set-up already.'] : lines),
      ...(kept > 0 ? [`Kept as the site has them: ${kept} (exit code ${EXIT.findings}).`] : []),
      ...(request.dryRun ? ['Dry run: nothing was changed.'] : []),
    ],
    data: { dry_run: request.dryRun, kept, lines, ...details },
  };
}

const FOLDER = { name: 'folder', completes: 'folder' } as const;

/** Exports the set-up of a site into a folder. */
const setupExportCommand: Command = {
  name: 'setup export',
  summary: 'write types, workflows, roles, settings … as the folder of a profile',
  operands: [{ ...FOLDER, description: 'An empty or new folder.' }],
  options: { replace: { type: 'boolean', description: 'Writes over an earlier export.' } },
  example: 'setup export ./our-setup --replace',
  json: '`folder`, and `lines` of the report.',
  async run({ open }, { operands: [folder = ''], options }) {
    const lines = await exportSetup(await open(), folder, options.replace === true);
    return { lines, data: { folder, lines } };
  },
};

/** Imports a set-up into another site. */
const setupImportCommand: Command = {
  name: 'setup import',
  summary: 'take types, workflows, roles, settings … from the folder of a profile',
  operands: [{ ...FOLDER, description: 'A folder that canopy setup export wrote, or that of a profile.' }],
  options: {
    'dry-run': { type: 'boolean', description: 'Only prints what would change.' },
    overwrite: { type: 'boolean', description: 'Replaces what was changed on the site, and values of content.' },
  },
  example: 'setup import ./our-setup --dry-run',
  exits: { 3: 'done, and the site kept something that the folder has otherwise' },
  json: '`dry_run`, `kept`, `lines` of the report, and the changes with their values whole.',
  run: async ({ open }, { operands: [folder = ''], options }) =>
    runImport(await open(), {
      folder,
      dryRun: options['dry-run'] === true,
      overwrite: options.overwrite === true,
    }),
};

/** The commands of the set-up. */
export const setupCommands: readonly Command[] = [setupExportCommand, setupImportCommand];
