import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from '../../kernel/command.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { ANONYMOUS } from '../../security/caller.ts';
import { ConfigError } from '../../site/config.ts';
import { panelSettings } from '../../site/panel.ts';
import { sitePanel } from '../../site/panels/site.ts';
import { importSetup } from './import-setup.ts';
import { setupFiles } from './setup-files.ts';

/** Makes a folder for a set-up. Throws ConfigError for one that has something in it: nothing of it is to be mixed. */
async function emptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new ConfigError(`The folder ${folder} is not empty.`);
}

/** Writes the set-up of a site as the folder of a profile. Returns what is not in it, and how many files it has. */
async function exportSetup(kernel: Kernel, folder: string): Promise<string[]> {
  await emptyFolder(folder);
  const title = panelSettings(await kernel.sites.current(), sitePanel).site_title || 'Set-up';
  const { files, notes } = await kernel.db.transaction((tx) => setupFiles(kernel, tx, title));
  for (const [path, data] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(data, null, 2)}\n`);
  }
  return [...notes, `Exported the set-up of the site: ${files.size} files in ${folder}.`];
}

/** Takes the set-up of a site out into a folder, and brings it into another site. */
export const setupCommand: Command = {
  name: 'setup',
  usage: '<export|import> <folder> [--dry-run] [--overwrite]',
  summary:
    'write types, workflows, roles, settings … as the folder of a profile, or take them from one; --dry-run only prints what would change',
  options: { 'dry-run': { type: 'boolean' }, overwrite: { type: 'boolean' } },
  async run({ open }, { operands: [direction = '', folder = ''], options }) {
    if (direction !== 'export' && direction !== 'import')
      throw new ConfigError('Say what to do: canopy setup export <folder>, or canopy setup import <folder>.');
    const kernel = await open();
    const dryRun = options['dry-run'] === true;
    const lines =
      direction === 'export'
        ? await exportSetup(kernel, folder)
        : await importSetup(kernel, { folder, dryRun, overwrite: options.overwrite === true, caller: ANONYMOUS });
    if (direction === 'import') {
      if (lines.length === 0) lines.push('The site has this set-up already.');
      if (dryRun) lines.push('Dry run: nothing was changed.');
    }
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};
