import { type Command, EXIT } from '#core';
import { type ExportSummary, exportSite } from './export-site.ts';
import type { PloneLacks } from './plone/side-files.ts';
import { loadPassphrase } from './secrets.ts';
import { openFolderTarget } from './target/folder-target.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Lines about the parts of an export that Plone does not import unchanged. */
function ploneLines({ users, withoutEmail, comments }: PloneLacks): string[] {
  return [
    ...(users === 0 ? [] : ['In Plone: users set new passwords there; their hashes are for Canopy only.']),
    ...(withoutEmail === 0
      ? []
      : [
          `In Plone: ${counted(withoutEmail, 'user')} without an e-mail address will be left out. Give them one first.`,
        ]),
    ...(comments === 0
      ? []
      : [
          `In Plone: ${counted(comments, 'comment')} waiting for review, or answering such, will be left out. Publish them first.`,
        ]),
  ];
}

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
    ...ploneLines(summary.ploneLacks),
    ...(path === '/' ? ['Hashes of passwords and unpublished content are in it: keep it like a backup.'] : []),
  ];
}

/** Exports a site, or a part of it, and reports the contents. */
export const exportCommand: Command = {
  name: 'export',
  summary: 'write the site, or a part of it, so that it can be imported again',
  operands: [{ name: 'folder or .zip', description: 'An empty or new folder, or a new archive.', completes: 'file' }],
  options: {
    path: { type: 'string', value: 'path', description: 'Exports only what is at and below a path.' },
    'passphrase-file': {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'Encrypts secrets with the first line of the file, and takes them along.',
    },
  },
  example: 'export /srv/out.zip --passphrase-file=/etc/canopy/passphrase',
  exits: { 3: 'done, without some files that the store has lost; they are named' },
  json: '`path`, `objects`, `files`, `bytes`, rows by `tables`, `secretsLeft`, `unknownTables`, `missingFiles`, `missingCount` and `ploneLacks`.',
  async run({ open, progress }, { operands: [place = ''], options }) {
    const file = options['passphrase-file'];
    const passphrase = typeof file === 'string' ? loadPassphrase(file) : undefined;
    const kernel = await open();
    const target = /\.zip$/i.test(place)
      ? await (await import('./target/zip-target.ts')).openZipTarget(place)
      : await openFolderTarget(place);
    const path = typeof options.path === 'string' ? options.path : undefined;
    const summary = await exportSite(kernel, { target, path, passphrase, progress });
    return {
      code: summary.missingCount > 0 ? EXIT.findings : EXIT.done,
      lines: summaryLines(summary, place),
      data: { ...summary, ploneLacks: { ...summary.ploneLacks } },
    };
  },
};
