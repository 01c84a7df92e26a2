import { summaryLines } from '../features/import/import-report.ts';
import { importSite } from '../features/import/import-site.ts';
import type { Log } from '../lib/process.ts';
import type { Config } from '../site/config.ts';
import { announcePassword } from './announce-password.ts';
import { openSite } from './open-site.ts';

/**
 * Imports an export of a site into the site of the settings and prints what was done. Answers the exit code: 1 when some
 * objects could not be imported, so that scripts notice. Throws BadRequest when the folder is no export.
 */
export async function importCommand(
  settings: Config,
  log: Log,
  { directory, dryRun }: { directory: string; dryRun: boolean },
): Promise<number> {
  const site = await openSite(settings, log);
  try {
    announcePassword(site);
    const summary = await importSite(site.kernel, { directory, dryRun });
    process.stdout.write(`${summaryLines(summary).join('\n')}\n`);
    return summary.objects.failed > 0 ? 1 : 0;
  } finally {
    await site.close();
  }
}
