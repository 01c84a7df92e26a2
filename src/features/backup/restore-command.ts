import { type Command, EXIT } from '#core';
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

/** The figures of a backup for people. */
function describe(manifest: Manifest): string {
  const { at, program, engine, rows, files, fileBytes } = figuresOf(manifest);
  return `the site of ${at} (Canopy ${program}, ${engine}): ${rows} rows, ${files} files (${megabytes(fileBytes)})`;
}

/** Checks a backup and restores its site into the configured database and files. */
export const restoreCommand: Command = {
  name: 'restore',
  summary: 'put a backup into an empty DATA_DIR or database',
  description: 'Stop the servers of the site first. All of the backup is checked before anything is written.',
  operands: [
    {
      name: 'place',
      description: 'A folder with backups, a file that ends with .tar, or s3://bucket/prefix.',
      completes: 'file',
    },
  ],
  options: {
    backup: { type: 'string', value: 'id', description: 'Takes this backup in place of the newest one.' },
    check: { type: 'boolean', description: 'Only reads all of the backup, and writes nothing.' },
    replace: { type: 'boolean', description: 'Takes the place of the site that is there, which is lost.' },
  },
  example: 'restore /backups --check',
  exits: { 3: 'done, without tables that no feature makes; they are named' },
  json: '`id`, `at`, `program`, `engine`, `rows`, `files`, `fileBytes`, and `leftOut`; with `--check` `whole` in its place.',
  async run(context, { operands: [source = ''], options }) {
    const id = typeof options.backup === 'string' ? options.backup : undefined;
    const backup = await findBackup(context.config, { source, id });
    if (options.check === true) {
      await verifyBackup(backup, context.progress);
      const { manifest, label } = backup;
      return {
        lines: [`${label} is whole. It is ${describe(manifest)}.`],
        data: { ...figuresOf(manifest), whole: true },
      };
    }
    const { manifest, label, leftOut } = await restoreBackup(context, backup, { replace: options.replace === true });
    // Brings an older schema up to date, and shows that the site can be used.
    await context.open({ repair: true });
    return {
      code: leftOut.length > 0 ? EXIT.findings : EXIT.done,
      lines: [
        `Restored ${label}: ${describe(manifest)}.`,
        ...leftOut.map((table) => `The table ${table} is left out: no feature makes it.`),
        'Start the site with the SECRETS_KEY that it had. Mails and requests that waited in the backup are sent then.',
      ],
      data: { ...figuresOf(manifest), leftOut },
    };
  },
};
