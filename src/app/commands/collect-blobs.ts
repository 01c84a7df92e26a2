import { type BlobCount, collectBlobs } from '../../core/content/collect-blobs.ts';
import type { Command } from '../../core/kernel/command.ts';

const line = (what: string, { blobs, bytes }: BlobCount): string =>
  `${what}: ${blobs} ${blobs === 1 ? 'file' : 'files'}, ${bytes} bytes\n`;

/** Removes files of the site that nothing refers to, and prints how many. A dry run only counts them. */
export const collectBlobsCommand: Command = {
  name: 'collect-blobs',
  usage: '[--dry-run]',
  summary: 'remove files that nothing refers to, also while the site is in use (PostgreSQL)',
  options: { 'dry-run': { type: 'boolean' } },
  async run({ open }, { options }) {
    const dryRun = options['dry-run'] === true;
    const { setAside, removed, takenBack } = await collectBlobs(await open(), { dryRun });
    if (dryRun) process.stdout.write('Dry run: nothing is changed.\n');
    process.stdout.write(line('Set aside, as nothing refers to them', setAside));
    process.stdout.write(line('Removed, as they were set aside before', removed));
    process.stdout.write(line('Taken back, as something refers to them again', takenBack));
    return 0;
  },
};
