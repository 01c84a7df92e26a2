import { type BlobCount, collectBlobs } from '../../core/content/collect-blobs.ts';
import type { Command } from '../../core/kernel/command.ts';

const line = (what: string, { blobs, bytes }: BlobCount): string =>
  `${what}: ${blobs} ${blobs === 1 ? 'file' : 'files'}, ${bytes} bytes`;

const json = ({ blobs, bytes }: BlobCount) => ({ files: blobs, bytes });

/** Removes unreferenced files of the site, and prints their number. A dry run only counts them. */
export const collectBlobsCommand: Command = {
  name: 'collect-blobs',
  summary: 'remove files that nothing refers to, also while the site is in use (PostgreSQL)',
  description:
    'A file is set aside first, a day after it was stored at the earliest, and removed by a run another day later.',
  options: { 'dry-run': { type: 'boolean', description: 'Only counts the files.' } },
  example: 'collect-blobs --dry-run',
  json: '`dry_run`, and `set_aside`, `removed` and `taken_back`, each with the number of `files` and their `bytes`.',
  async run({ open }, { options }) {
    const dryRun = options['dry-run'] === true;
    const { setAside, removed, takenBack } = await collectBlobs(await open(), { dryRun });
    return {
      lines: [
        ...(dryRun ? ['Dry run: nothing is changed.'] : []),
        line('Set aside, as nothing refers to them', setAside),
        line('Removed, as they were set aside before', removed),
        line('Taken back, as something refers to them again', takenBack),
      ],
      data: { dry_run: dryRun, set_aside: json(setAside), removed: json(removed), taken_back: json(takenBack) },
    };
  },
};
