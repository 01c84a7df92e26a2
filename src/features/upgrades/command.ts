import { type Command, callers } from '#core';
import { runUpgrade } from './upgrade-site.ts';

/** Upgrades the site to the version of its profile, and prints the report of `@upgrade`. */
export const upgradeCommand: Command = {
  name: 'upgrade',
  summary: "bring the site to the version of its profile's files",
  options: { 'dry-run': { type: 'boolean', description: 'Only prints what would change.' } },
  example: 'upgrade --dry-run',
  json: 'The response of `POST @upgrade`, and `details` with all values whole.',
  async run({ open }, { options }) {
    const dryRun = options['dry-run'] === true;
    const { answer, details } = await runUpgrade(await open(), { dryRun, caller: callers.ANONYMOUS });
    return { lines: [answer.report], data: { ...answer, details } };
  },
};
