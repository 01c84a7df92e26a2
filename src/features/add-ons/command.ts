import { type Command, callers } from '#core';
import { uninstallAddon } from './uninstall-addon.ts';

/** `canopy addons uninstall <id>`: uninstalls like `@addons`, also on a site that cannot be served because a feature is missing. */
export const addonsCommand: Command = {
  name: 'addons uninstall',
  summary: 'take back what an add-on brought, and print what stays',
  operands: [{ name: 'id', description: 'The id of the add-on.' }],
  options: {
    clean: { type: 'boolean', description: 'Removes its tables, scheduled jobs and settings as well.' },
    'dry-run': { type: 'boolean', description: 'Only prints what would be done.' },
  },
  example: 'addons uninstall canopy-addon-shelf --clean --dry-run',
  json: '`id`, `dry_run`, and `lines`: one for each thing that is removed or stays.',
  async run({ open }, { operands: [id = ''], options }) {
    const dryRun = options['dry-run'] === true;
    const lines = await uninstallAddon(
      await open({ repair: true }),
      { caller: callers.ADMINISTRATOR, id },
      { clean: options.clean === true, dryRun },
    );
    return { lines, data: { id, dry_run: dryRun, lines } };
  },
};
