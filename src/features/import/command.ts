import { setFlagsFromString } from 'node:v8';
import type { SiteReader } from '@canopy-server/site-reader';
import { type Command, type CommandContext, type CommandReport, EXIT, type Kernel, UsageError } from '#core';
import { ExportRefused } from '../site-export/format.ts';
import { importOwnExport } from '../site-export/restore/import-export.ts';
import type { OwnExport } from '../site-export/restore/own-export.ts';
import { removeLeftOvers } from '../site-export/restore/private-folder.ts';
import { loadPassphrase } from '../site-export/secrets.ts';
import { CONFLICT_RULES, type ConflictRule, isConflictRule } from './again/log.ts';
import { findExport } from './find-export.ts';
import { losesSomething, summaryLines } from './import-summary.ts';

/** The values of an option that may be given several times. */
const textOptions = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const textOption = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type Options = Parameters<Command['run']>[1]['options'];

/** The site that an export is imported into. */
type Target = Pick<CommandContext, 'progress'> & { kernel: Kernel };

type ReaderChoice = { reader: SiteReader; readerOptions: Record<string, string> };

/** Options that mean something for one of the two kinds of exports only. */
const OF_READERS = ['report', 'site-root', 'text-as-blocks', 'again', 'conflicts', 'reader', 'reader-option'];
const OF_CANOPY = ['path', 'replace', 'passphrase-file'];

function refuseOptions(options: Options, names: readonly string[], of: string): void {
  const given = names.find((name) => options[name] !== undefined);
  if (given !== undefined) throw new ExportRefused(`--${given} is for ${of}.`);
}

/** The rule for conflicts of an import of a newer export; undefined for another import. Throws UsageError for another word. */
function ruleOf({ again, conflicts }: Options): ConflictRule | undefined {
  const rule = textOption(conflicts);
  if (rule !== undefined && !isConflictRule(rule))
    throw new UsageError(`--conflicts takes one of ${CONFLICT_RULES.join(', ')}.`);
  if (rule !== undefined && again !== true) throw new UsageError('--conflicts is for --again.');
  return again === true ? (rule ?? 'stop') : undefined;
}

/** Imports a site that a reader reads. */
async function importRead(
  { kernel, progress, reader, readerOptions }: Target & ReaderChoice,
  directory: string,
  options: Options,
): Promise<CommandReport> {
  refuseOptions(options, OF_CANOPY, 'exports that "canopy export" has made');
  const { importSite } = await import('./import-site.ts');

  const summary = await importSite(kernel, {
    directory,
    reader,
    readerOptions,
    strict: options.strict === true,
    dryRun: options['dry-run'] === true,
    textAsBlocks: options['text-as-blocks'] === true,
    reportFile: textOption(options.report),
    siteRoot: textOption(options['site-root']),
    again: ruleOf(options),
    progress,
  });
  const isOpen = summary.again?.rule === 'stop' && summary.again.counts.conflicts > 0;
  const code = losesSomething(summary) || isOpen ? EXIT.findings : EXIT.done;
  return {
    code: summary.refused ? EXIT.failed : code,
    lines: summaryLines(summary),
    data: { ...summary, problems: summary.problems.map((problem) => ({ ...problem })) },
  };
}

/** Brings back what `canopy export` has written. */
async function importCanopy({ kernel, progress }: Target, source: OwnExport, options: Options): Promise<CommandReport> {
  refuseOptions(options, OF_READERS, 'exports of other systems, or with --plone-form');
  const file = textOption(options['passphrase-file']);
  const dryRun = options['dry-run'] === true;
  const { path, objects, files, added, left, kept } = await importOwnExport(kernel, source, {
    dryRun,
    path: textOption(options.path),
    replace: options.replace === true,
    strict: options.strict === true,
    passphrase: file === undefined ? undefined : loadPassphrase(file),
    progress,
  });
  const what = path === '/' ? 'the site' : path;
  const done = dryRun
    ? 'Would import'
    : kept
      ? 'Imported'
      : 'Nothing was imported, because some of it would be left out. Otherwise:';
  const code = left.length > 0 ? EXIT.findings : EXIT.done;
  return {
    code: kept || dryRun ? code : EXIT.failed,
    lines: [`${done} ${what}: ${objects} objects, ${files} files.`, ...added, ...left],
    data: { dryRun, refused: !kept && !dryRun, path, objects, files, added, left },
  };
}

/** Imports an export and reports what was done. Throws ExportRefused when the folder is no export. */
export const importCommand: Command = {
  name: 'import',
  summary: 'import an export of a site, of this server, of Plone or of another system',
  operands: [
    {
      name: 'folder or file',
      description: 'The export, also as a .zip or .tar.gz, or the address of a site.',
      completes: 'file',
    },
  ],
  options: {
    'new-site': { type: 'boolean', description: 'Makes the site where none is.' },
    reader: {
      type: 'string',
      value: 'name',
      description:
        'The reader of the export: its name, or the name or folder of its package. Without it the export shows it.',
    },
    'reader-option': {
      type: 'string',
      value: 'name=value',
      multiple: true,
      description: 'An option of the reader.',
    },
    'dry-run': { type: 'boolean', description: 'Only says what would be imported and lost.' },
    again: {
      type: 'boolean',
      description: 'Brings what a newer export of the same site changes; what was changed here stays.',
    },
    conflicts: {
      type: 'string',
      value: 'rule',
      description: 'What counts where both changed the same: "keep" the site, "take" the export, or "stop".',
    },
    strict: { type: 'boolean', description: 'Imports nothing when something would be lost.' },
    'plone-form': { type: 'boolean', description: 'Takes an export of Canopy as Plone would.' },
    path: { type: 'string', value: 'path', description: 'Puts an exported part of a site into a folder.' },
    replace: { type: 'boolean', description: 'Replaces the site that is there by an export of Canopy.' },
    'passphrase-file': {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'The file with the passphrase of an export of Canopy.',
    },
    report: {
      type: 'string',
      value: 'file',
      completes: 'file',
      description: 'Writes all that was lost or changed, of an export of another system, as JSON.',
    },
    'site-root': { type: 'string', value: 'address', description: 'The address of the Plone site.' },
    'text-as-blocks': { type: 'boolean', description: "Makes blocks of the text of Plone's classic pages." },
  },
  example: 'import /srv/plone-export --new-site --dry-run',
  exits: {
    1: 'nothing was imported; with --strict because something would be lost, with --again because of conflicts',
    3: 'imported, and something of the export was lost; the report says what and why',
  },
  json: 'Of an export of another system the counts by kind, `types`, `added`, `problems` and `reasons`, with --again `again`; of one of Canopy `objects`, `files`, `added` and `left`.',
  async run({ open, progress, features, loadPackage }, { operands: [place = ''], options }) {
    // Without this the garbage of batches would grow to four times the memory that one batch needs.
    setFlagsFromString('--heap-growing-percent=40');
    await removeLeftOvers();
    const isUnpacked = /\.(?:zip|tar\.gz|tgz)$/i.test(place);
    const unpacked = isUnpacked ? await (await import('../site-export/restore/unpack.ts')).unpack(place) : undefined;
    try {
      const named = options['plone-form'] === true ? 'plone' : textOption(options.reader);
      // Before the site is opened: a place that no reader takes leaves it as it is.
      const found = await findExport(unpacked?.folder ?? place, { named, isUnpacked }, { features, loadPackage });
      if ('own' in found) {
        const kernel = await open({ create: options['new-site'] === true });
        return await importCanopy({ kernel, progress }, found.own, options);
      }
      const { readerOptions } = await import('./choose-reader.ts');
      const given = readerOptions(found.reader, textOptions(options['reader-option']));
      const kernel = await open({ create: options['new-site'] === true });
      return await importRead({ kernel, progress, reader: found.reader, readerOptions: given }, found.place, options);
    } finally {
      await unpacked?.remove();
    }
  },
};
