import type { Command } from '../../kernel/command.ts';
import { ANONYMOUS } from '../../security/caller.ts';
import { runUpgrade } from './upgrade-site.ts';

/** Upgrades the site to the version of its profile, and prints the report of `@upgrade`. */
export const upgradeCommand: Command = {
  name: 'upgrade',
  usage: '[--dry-run]',
  summary: "bring the site to the version of its profile's files; --dry-run only prints what would change",
  options: { 'dry-run': { type: 'boolean' } },
  async run({ open }, { options }) {
    const { report } = await runUpgrade(await open(), { dryRun: options['dry-run'] === true, caller: ANONYMOUS });
    process.stdout.write(`${report}\n`);
    return 0;
  },
};
