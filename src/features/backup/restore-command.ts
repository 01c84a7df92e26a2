import type { Command } from '#core';
import { megabytes } from './command.ts';
import type { Manifest } from './format.ts';
import { findBackup, restoreBackup, verifyBackup } from './restore.ts';

/** The figures of a backup for scripts. */
const figuresOf = ({ id, at, program, engine, tables, blobs }: Manifest) => ({
  id,
  at,
  program,
  engine,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: blobs.count,
  fileBytes: blobs.bytes,
});

/** The same for people. */
function describe(manifest: Manifest): string {
  const { at, program, engine, rows, files, fileBytes } = figuresOf(manifest);
  return `the site of ${at} (Canopy ${program}, ${engine}): ${rows} rows, ${files} files (${megabytes(fileBytes)})`;
}

/** Checks a backup and puts the site in it in the place of the settings. */
export const restoreCommand: Command = {
  name: 'restore',
  usage: '<folder, file.tar or s3://bucket/prefix> [--backup=<id>] [--check] [--replace] [--json]',
  summary:
    'put a backup, the newest unless --backup names one, into an empty DATA_DIR or database; --check only reads it, --replace loses the site that is there (example: canopy restore /backups)',
  options: {
    backup: { type: 'string' },
    check: { type: 'boolean' },
    replace: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  async run(context, { operands: [source = ''], options }) {
    const id = typeof options.backup === 'string' ? options.backup : undefined;
    const print = (figures: object, ...lines: string[]): void => {
      process.stdout.write(`${options.json === true ? JSON.stringify(figures) : lines.join('\n')}\n`);
    };
    const backup = await findBackup(context.config, { source, id });
    if (options.check === true) {
      await verifyBackup(backup);
      const { manifest, label } = backup;
      print({ ...figuresOf(manifest), whole: true }, `${label} is whole. It is ${describe(manifest)}.`);
      return 0;
    }
    const { manifest, label, leftOut } = await restoreBackup(context, backup, { replace: options.replace === true });
    // Brings an older schema up to date, and shows that the site can be used.
    await context.open({ repair: true });
    print(
      { ...figuresOf(manifest), leftOut },
      `Restored ${label}: ${describe(manifest)}.`,
      ...leftOut.map((table) => `The table ${table} is left out: no feature makes it.`),
      'Start the site with the SECRETS_KEY that it had. Mails and requests that waited in the backup are sent then.',
    );
    return 0;
  },
};
