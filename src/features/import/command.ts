import { setFlagsFromString } from 'node:v8';
import type { Command } from '../../kernel/command.ts';
import { isLoss, REASON_NAMES } from './import-reasons.ts';
import { importSite } from './import-site.ts';
import { type ImportSummary, summaryLines } from './import-summary.ts';

const textOption = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const losesSomething = ({ reasons }: ImportSummary): boolean =>
  REASON_NAMES.some((reason) => isLoss(reason) && (reasons[reason] ?? 0) > 0);

/**
 * Imports an export of a site and prints what was done. The exit code is 1 when some objects could not be imported, or with
 * `--strict` when anything was lost, so that scripts notice. Throws BadRequest when the folder is no export.
 */
export const importCommand: Command = {
  name: 'import',
  usage: '<dir> [--dry-run] [--strict] [--report=<file>] [--site-root=<address>] [--text-as-blocks]',
  summary: 'import an export of a Plone site',
  options: {
    'dry-run': { type: 'boolean' },
    strict: { type: 'boolean' },
    report: { type: 'string' },
    'site-root': { type: 'string' },
    'text-as-blocks': { type: 'boolean' },
  },
  async run({ open }, { operands: [directory = ''], options }) {
    // What one batch leaves behind would else be kept until it is four times what the import needs at a time.
    setFlagsFromString('--heap-growing-percent=80');
    const strict = options.strict === true;
    const summary = await importSite(await open(), {
      directory,
      strict,
      dryRun: options['dry-run'] === true,
      textAsBlocks: options['text-as-blocks'] === true,
      reportFile: textOption(options.report),
      siteRoot: textOption(options['site-root']),
    });
    process.stdout.write(`${summaryLines(summary).join('\n')}\n`);
    return summary.objects.failed > 0 || (strict && losesSomething(summary)) ? 1 : 0;
  },
};
