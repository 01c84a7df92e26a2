import { type Command, UsageError } from '#core';
import { type BackupSummary, makeBackup } from './make-backup.ts';
import { isArchive } from './places/open-place.ts';

/** Bytes for people. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

function summaryLines({ id, place, rows, files, databaseBytes, fileBytes, copied, removed }: BackupSummary): string[] {
  return [
    `Backup ${id} in ${place}: ${counted(rows, 'row')} (${megabytes(databaseBytes)} compressed), ${counted(files, 'file')} (${megabytes(fileBytes)}).`,
    `${counted(copied.files, 'file')} (${megabytes(copied.bytes)}) copied; the others were there already. All parts were read again.`,
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}.`] : []),
    'Hashes of passwords, keys of tokens and unpublished content are in it: keep it like the site. SECRETS_KEY is not in it.',
  ];
}

/** The number of an option `--keep`. Throws UsageError. */
function parseKeep(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value))
    throw new UsageError(`--keep must be a whole number from 1 to 9999, not "${value}".`);
  return Number(value);
}

/** Makes a backup and reports its contents. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'write a backup of the whole site, also while it is served and changed',
  operands: [
    {
      name: 'place',
      description: 'A folder, a new file that ends with .tar, or s3://bucket/prefix.',
      completes: 'file',
    },
  ],
  options: {
    keep: {
      type: 'string',
      value: 'number',
      description: 'Removes all but the newest backups at the place, once the new one is whole.',
    },
  },
  example: 'backup /backups --keep=14',
  json: '`id`, `place`, `at`, `rows`, `files`, `databaseBytes`, `fileBytes`, `copied` with its `files` and `bytes`, and the ids of backups that were `removed`.',
  async run(context, { operands: [target = ''], options }) {
    const keep = typeof options.keep === 'string' ? parseKeep(options.keep) : undefined;
    if (keep !== undefined && isArchive(target))
      throw new UsageError('--keep goes together with a folder or s3://, where several backups are.');
    const summary = await makeBackup(context, { target, keep });
    return { lines: summaryLines(summary), data: summary };
  },
};
