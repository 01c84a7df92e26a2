import { type Command, callers } from '#core';
import { runUpgrade } from './upgrade-site.ts';

/** Upgrades the site to the version of its profile, and prints the report of `@upgrade`. */
export const upgradeCommand: Command = {
  name: 'upgrade',
  usage: '[--dry-run] [--json]',
  summary:
    "bring the site to the version of its profile's files; --dry-run only prints what would change, --json all values whole",
  options: { 'dry-run': { type: 'boolean' }, json: { type: 'boolean' } },
  async run({ open }, { options }) {
    const dryRun = options['dry-run'] === true;
    const { answer, details } = await runUpgrade(await open(), { dryRun, caller: callers.ANONYMOUS });
    const printed = options.json === true ? JSON.stringify({ ...answer, details }, null, 2) : answer.report;
    process.stdout.write(`${printed}\n`);
    return 0;
  },
};
