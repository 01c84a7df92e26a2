import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, ConfigError, callers, type Kernel, panelSettings, panels, profileFiles } from '#core';
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
 * Makes a folder for a set-up, and returns the files of an earlier one in it. Throws ConfigError for a folder with something else in
 * it, and for an earlier set-up that is not to be replaced: nothing of two is to be mixed.
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

/** Writes the set-up of a site as the folder of a profile. Returns what is not in it, and how many files it has. */
async function exportSetup(kernel: Kernel, folder: string, replace: boolean): Promise<string[]> {
  const old = await folderFor(folder, replace);
  const title = panelSettings(await kernel.sites.current(), panels.site).site_title || 'Set-up';
  const { files, notes } = await kernel.db.transaction((tx) => setupFiles(kernel, tx, title));
  // Gone files go first: on some file systems a name that differs in case only is the same file.
  for (const path of old.filter((one) => !files.has(one))) await rm(join(folder, path));
  for (const [path, data] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(data, null, 2)}\n`);
  }
  return [...notes, `Exported the set-up of the site: ${files.size} files in ${folder}.`];
}

/** The exit code of an import that is done, and left values as the site has them. */
const KEPT = 3;

/** Imports a set-up and prints what was done. Returns the exit code. */
async function runImport(
  kernel: Kernel,
  request: { folder: string; dryRun: boolean; overwrite: boolean },
  json: boolean,
): Promise<number> {
  const { lines, kept, details } = await importSetup(kernel, { ...request, caller: callers.ANONYMOUS });
  if (json) {
    process.stdout.write(`${JSON.stringify({ dry_run: request.dryRun, kept, lines, ...details }, null, 2)}\n`);
  } else {
    if (lines.length === 0) lines.push('The site has this set-up already.');
    if (kept > 0) lines.push(`Kept as the site has them: ${kept} (exit code ${KEPT}).`);
    if (request.dryRun) lines.push('Dry run: nothing was changed.');
    process.stdout.write(`${lines.join('\n')}\n`);
  }
  return kept > 0 ? KEPT : 0;
}

/** Takes the set-up of a site out into a folder, and brings it into another site. */
export const setupCommand: Command = {
  name: 'setup',
  usage: '<export|import> <folder> [--replace] [--dry-run] [--overwrite] [--json]',
  summary:
    'write types, workflows, roles, settings … as the folder of a profile (--replace: over an earlier export), or take them from one; 3 is the exit code when the site kept something',
  options: {
    replace: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    overwrite: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run({ open }, { operands: [direction = '', folder = ''], options }) {
    if (direction !== 'export' && direction !== 'import')
      throw new ConfigError('Say what to do: canopy setup export <folder>, or canopy setup import <folder>.');
    const kernel = await open();
    if (direction === 'import') {
      const request = { folder, dryRun: options['dry-run'] === true, overwrite: options.overwrite === true };
      return runImport(kernel, request, options.json === true);
    }
    const lines = await exportSetup(kernel, folder, options.replace === true);
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};
