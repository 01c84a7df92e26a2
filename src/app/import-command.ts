import type { Log } from '../lib/log.ts';
import type { Settings } from '../site/settings.ts';
import { openSite } from './open-site.ts';

/** Imports an export of a site into the site of the settings; prints what was done. Answers the exit code. */
export async function importCommand(
  settings: Settings,
  log: Log,
  options: { directory: string; dryRun: boolean },
): Promise<number> {
  const site = await openSite(settings, log);
  try {
    if (site.password !== undefined)
      process.stdout.write(`The password of admin is ${site.password}\nIt is shown this once: keep it.\n`);
    process.stdout.write(`${options.directory}\n`);
    return 0;
  } finally {
    await site.close();
  }
}
