import { type BlobCount, collectBlobs } from '../content/collect-blobs.ts';
import type { Log } from '../lib/process.ts';
import type { Config } from '../site/config.ts';
import { announcePassword } from './announce-password.ts';
import { openSite } from './open-site.ts';

const line = (what: string, { blobs, bytes }: BlobCount): string =>
  `${what}: ${blobs} ${blobs === 1 ? 'file' : 'files'}, ${bytes} bytes\n`;

/**
 * Removes files of the site of the settings that nothing refers to, and prints how many. A dry run only counts them.
 * Answers the exit code.
 */
export async function collectBlobsCommand(
  settings: Config,
  log: Log,
  { dryRun }: { dryRun: boolean },
): Promise<number> {
  const opened = await openSite(settings, log);
  announcePassword(opened);
  const { kernel, close } = opened;
  try {
    const { setAside, removed, takenBack } = await collectBlobs(kernel, { dryRun });
    if (dryRun) process.stdout.write('Dry run: nothing is changed.\n');
    process.stdout.write(line('Set aside, as nothing refers to them', setAside));
    process.stdout.write(line('Removed, as they were set aside before', removed));
    process.stdout.write(line('Taken back, as something refers to them again', takenBack));
    return 0;
  } finally {
    await close();
  }
}
