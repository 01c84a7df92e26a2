import type { Command } from '../../kernel/command.ts';
import { summaryLines } from './import-report.ts';
import { importSite } from './import-site.ts';

/**
 * Imports an export of a site and prints what was done. The exit code is 1 when some objects could not be imported, so that
 * scripts notice. Throws BadRequest when the folder is no export.
 */
export const importCommand: Command = {
  name: 'import',
  usage: '<dir> [--dry-run]',
  summary: 'import an export of a Plone site',
  options: { 'dry-run': { type: 'boolean' } },
  async run({ open }, { operands: [directory = ''], options }) {
    const summary = await importSite(await open(), { directory, dryRun: options['dry-run'] === true });
    process.stdout.write(`${summaryLines(summary).join('\n')}\n`);
    return summary.objects.failed > 0 ? 1 : 0;
  },
};
