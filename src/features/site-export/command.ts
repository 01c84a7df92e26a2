import type { Command } from '../../kernel/command.ts';
import { type ExportSummary, exportSite } from './export-site.ts';
import { loadPassphrase } from './secrets.ts';
import { openFolderTarget } from './target/folder-target.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The summary for people, line by line. */
function summaryLines(summary: ExportSummary, place: string): string[] {
  const { objects, files, bytes, path, secretsLeft, unknownTables, missingFiles, missingCount } = summary;
  const what = path === '/' ? 'the site' : path;
  return [
    `Exported ${what} to ${place}: ${objects} objects, ${files} files (${megabytes(bytes)}).`,
    `Rows: ${Object.entries(summary.tables)
      .filter(([, count]) => count > 0)
      .map(([table, count]) => `${table} ${count}`)
      .join(', ')}.`,
    ...(secretsLeft === 0
      ? []
      : [
          `${secretsLeft} secrets, such as passwords of servers and second factors, are left out. ` +
            'With --passphrase-file they are encrypted and come along.',
        ]),
    ...unknownTables.map((name) => `The table ${name} is left out: no feature says what becomes of it.`),
    ...missingFiles.map((name) => `Its file is not in the store: ${name}.`),
    ...(missingCount > missingFiles.length ? [`… and ${missingCount - missingFiles.length} more files.`] : []),
    ...(path === '/' ? ['Hashes of passwords and unpublished content are in it: keep it like a backup.'] : []),
  ];
}

/** Exports a site, or a part of it, and prints what was done. The exit code is 1 when files are missing. */
export const exportCommand: Command = {
  name: 'export',
  usage: '<folder or .zip> [--path=/part] [--passphrase-file=<file>]',
  summary: 'write the site, or a part of it, so that it can be imported again',
  options: { path: { type: 'string' }, 'passphrase-file': { type: 'string' } },
  async run({ open }, { operands: [place = ''], options }) {
    const file = options['passphrase-file'];
    const passphrase = typeof file === 'string' ? loadPassphrase(file) : undefined;
    const kernel = await open();
    const target = /\.zip$/i.test(place)
      ? await (await import('./target/zip-target.ts')).openZipTarget(place)
      : await openFolderTarget(place);
    const path = typeof options.path === 'string' ? options.path : undefined;
    const summary = await exportSite(kernel, { target, path, passphrase });
    process.stdout.write(`${summaryLines(summary, place).join('\n')}\n`);
    return summary.missingCount > 0 ? 1 : 0;
  },
};
