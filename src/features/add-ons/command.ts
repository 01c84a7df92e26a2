import { type Command, ConfigError, callers } from '#core';
import { uninstallAddon } from './uninstall-addon.ts';

/** `canopy addons uninstall <id>`: the same as in `@addons`, also for a site that cannot be served without a feature. */
export const addonsCommand: Command = {
  name: 'addons',
  usage: '<uninstall> <id> [--clean] [--dry-run]',
  summary:
    'take back what an add-on brought, and print what stays; --clean removes its tables, scheduled jobs and settings as well; --dry-run only prints what would be done',
  options: { clean: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  async run({ open }, { operands: [action = '', id = ''], options }) {
    if (action !== 'uninstall') throw new ConfigError('Say what to do: canopy addons uninstall <id>.');
    const lines = await uninstallAddon(
      await open({ repair: true }),
      { caller: callers.ADMINISTRATOR, id },
      { clean: options.clean === true, dryRun: options['dry-run'] === true },
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};
