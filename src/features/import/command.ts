import { setFlagsFromString } from 'node:v8';
import type { Command, Kernel } from '#core';
import { ExportRefused } from '../site-export/format.ts';
import { importOwnExport } from '../site-export/restore/import-export.ts';
import { type OwnExport, openOwnExport } from '../site-export/restore/own-export.ts';
import { removeLeftOvers } from '../site-export/restore/private-folder.ts';
import { loadPassphrase } from '../site-export/secrets.ts';
import { importSite } from './import-site.ts';
import { losesSomething, summaryLines } from './import-summary.ts';

const textOption = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Exit codes of an import: nothing was lost, nothing was imported, something was lost. */
const [KEPT, REFUSED, LOST] = [0, 1, 3];

type Options = Parameters<Command['run']>[1]['options'];

/** Options that mean something for one of the two kinds of exports only. */
const OF_PLONE = ['report', 'site-root', 'text-as-blocks'];
const OF_CANOPY = ['path', 'replace', 'passphrase-file'];

function refuseOptions(options: Options, names: readonly string[], of: string): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw new ExportRefused(`--${given} is for ${of}.`);
}

/** Imports the export of a Plone site. */
async function importPlone(kernel: Kernel, directory: string, options: Options): Promise<number> {
  refuseOptions(options, OF_CANOPY, 'exports that "canopy export" has made');
  const summary = await importSite(kernel, {
    directory,
    strict: options.strict === true,
    dryRun: options['dry-run'] === true,
    textAsBlocks: options['text-as-blocks'] === true,
    reportFile: textOption(options.report),
    siteRoot: textOption(options['site-root']),
  });
  process.stdout.write(`${summaryLines(summary).join('\n')}\n`);
  if (summary.refused) return REFUSED;
  return losesSomething(summary) ? LOST : KEPT;
}

/** Brings back what `canopy export` has written. */
async function importCanopy(kernel: Kernel, source: OwnExport, options: Options): Promise<number> {
  refuseOptions(options, OF_PLONE, 'exports of Plone, or with --plone-form');
  const file = textOption(options['passphrase-file']);
  const dryRun = options['dry-run'] === true;
  const { path, objects, files, added, left, kept } = await importOwnExport(kernel, source, {
    dryRun,
    path: textOption(options.path),
    replace: options.replace === true,
    strict: options.strict === true,
    passphrase: file === undefined ? undefined : loadPassphrase(file),
  });
  const what = path === '/' ? 'the site' : path;
  const done = dryRun
    ? 'Would import'
    : kept
      ? 'Imported'
      : 'Nothing was imported, because some of it would be left out. Otherwise:';
  process.stdout.write(`${[`${done} ${what}: ${objects} objects, ${files} files.`, ...added, ...left].join('\n')}\n`);
  if (!kept && !dryRun) return REFUSED;
  return left.length > 0 ? LOST : KEPT;
}

/**
 * Imports an export and prints what was done. The exit code is 3 when something was lost, so that scripts notice, and 1 when
 * nothing was imported, with `--strict` because something would be lost. Throws ExportRefused when the folder is no export.
 */
export const importCommand: Command = {
  name: 'import',
  usage:
    '<folder or .zip> [--new-site] [--dry-run] [--strict] [--plone-form] [--path=/folder] [--replace] [--passphrase-file=<file>] [--report=<file>] [--site-root=<address>] [--text-as-blocks]',
  summary: 'import an export of a site, of this server or of Plone; --new-site makes the site where none is',
  options: {
    'dry-run': { type: 'boolean' },
    'new-site': { type: 'boolean' },
    strict: { type: 'boolean' },
    report: { type: 'string' },
    'site-root': { type: 'string' },
    'text-as-blocks': { type: 'boolean' },
    'plone-form': { type: 'boolean' },
    path: { type: 'string' },
    replace: { type: 'boolean' },
    'passphrase-file': { type: 'string' },
  },
  async run({ open }, { operands: [place = ''], options }) {
    // What one batch leaves behind would else be kept until it is four times what the import needs at a time.
    setFlagsFromString('--heap-growing-percent=40');
    await removeLeftOvers();
    const unpacked = /\.zip$/i.test(place)
      ? await (await import('../site-export/restore/unpack.ts')).unpack(place)
      : undefined;
    const folder = unpacked?.folder ?? place;
    try {
      const own = options['plone-form'] ? undefined : await openOwnExport(folder);
      const kernel = await open({ create: options['new-site'] === true });
      return await (own ? importCanopy(kernel, own, options) : importPlone(kernel, folder, options));
    } finally {
      await unpacked?.remove();
    }
  },
};
