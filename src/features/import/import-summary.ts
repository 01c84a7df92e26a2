import { differenceLines } from './again/difference-lines.ts';
import type { ImportDifferences } from './again/log.ts';
import { EFFECTS, type ImportReason, isLoss, REASON_NAMES, REASONS } from './import-reasons.ts';
import type { ImportProblem } from './import-report.ts';

/** Numbers for one kind of things. `skipped` ones were present already and stay unchanged. */
type Tally = { created: number; skipped: number; failed: number };

const COUNTED = ['objects', 'files', 'users', 'groups', 'redirects', 'translations', 'relations', 'comments'] as const;

/** The additions of an import to a content type of the site. */
export type TypeAddition = {
  type: string;
  behaviors: string[];
  /** Names of new fields, each with the title of its kind. */
  fields: { name: string; kind: string }[];
  layouts: string[];
};

/** The result of an import, or in a dry run its expected result. */
export type ImportSummary = Record<(typeof COUNTED)[number], Tally> & {
  format: string;
  dryRun: boolean;
  /** True if the import was strict and wrote nothing, because something would have been lost. */
  refused: boolean;
  /** The differences from earlier imports, if the export is a newer one; null for other imports. */
  again: ImportDifferences | null;
  /** Ids of the content types that the import created. */
  types: string[];
  /** The additions to the content types of the site. */
  added: TypeAddition[];
  /** The parts of the export that are not on the site as they were exported: at most 10,000 of each effect. */
  problems: ImportProblem[];
  /** The numbers of all problems by their reasons. */
  reasons: Partial<Record<ImportReason, number>>;
};

const emptyTally = (): Tally => ({ created: 0, skipped: 0, failed: 0 });

/** Returns the summary of an import that has not begun. */
export const emptySummary = (format: string, dryRun: boolean): ImportSummary => ({
  format,
  dryRun,
  refused: false,
  again: null,
  objects: emptyTally(),
  files: emptyTally(),
  types: [],
  added: [],
  users: emptyTally(),
  groups: emptyTally(),
  redirects: emptyTally(),
  translations: emptyTally(),
  relations: emptyTally(),
  comments: emptyTally(),
  problems: [],
  reasons: {},
});

/** Returns a problem as one line: first its place, then its message. */
function problemLine({ file, path, key, message }: ImportProblem): string {
  const place = [path, file, key].filter((part) => part !== null && part !== '').join(', ');
  // Paths and messages quote the export, which must not move the cursor of a terminal.
  return `${place === '' ? '' : `${place}: `}${message}`.replace(/\p{Cc}/gu, ' ');
}

const additionLine = ({ type, behaviors, fields, layouts }: TypeAddition): string =>
  [
    ...behaviors.map((behavior) => `behavior ${behavior}`),
    ...fields.map(({ name, kind }) => `${name} (${kind})`),
    ...layouts.map((layout) => `view ${layout}`),
  ]
    .join(', ')
    .replace(/^/, `${type}: `)
    .replace(/\p{Cc}/gu, ' ');

/** Problems that people are shown; the file of a report has them all. */
const MAX_SHOWN = 200;

function heading({ refused, dryRun, format, again }: ImportSummary): string {
  if (refused && again?.rule === 'stop' && again.counts.conflicts > 0)
    return `Import again (${format}): nothing was changed, because of conflicts. Import with --conflicts keep or take.`;
  if (refused) return `Strict import (${format}): nothing was changed, because not everything can be kept.`;
  return dryRun ? `Dry run of an import (${format}): nothing was changed.` : `Import (${format}):`;
}

/** The problems that are shown, under what they come to. What types got is said above them. */
function problemLines(problems: readonly ImportProblem[]): string[] {
  const wanted = problems.filter(({ reason, path }) => reason !== 'added' || path !== null);
  const shown = wanted.slice(0, MAX_SHOWN);
  const lines = EFFECTS.flatMap((effect) => {
    const alike = shown.filter(({ reason }) => REASONS[reason].effect === effect);
    return alike.length === 0 ? [] : [`  ${effect}:`, ...alike.map((problem) => `    ${problemLine(problem)}`)];
  });
  const more = wanted.length - shown.length;
  return more > 0 ? [...lines, `  … and ${more} more: --report=<file> writes them all.`] : lines;
}

/** The number of lines of a reason, and what to do about a loss. */
function reasonLine(reason: ImportReason, count: number): string {
  const known = REASONS[reason];
  return `    ${count} ${known.effect}: ${known.title}${'advice' in known ? `. ${known.advice}` : ''}`;
}

/** True if an import has lost something, or would lose it. */
export const losesSomething = ({ reasons }: ImportSummary): boolean =>
  REASON_NAMES.some((reason) => isLoss(reason) && (reasons[reason] ?? 0) > 0);

/** Returns the summary for people as lines: one for each kind, what types got, the reasons of problems, then the problems. */
export function summaryLines(summary: ImportSummary): string[] {
  const { types, added, problems, reasons } = summary;
  const width = Math.max(...COUNTED.map((kind) => kind.length)) + 1;
  const line = (kind: string, text: string) => `  ${`${kind}:`.padEnd(width)} ${text}`;
  const total = Object.values(reasons).reduce((sum, number) => sum + number, 0);
  return [
    heading(summary),
    ...(summary.again ? differenceLines(summary.again) : []),
    ...COUNTED.map((kind) => {
      const { created, skipped, failed } = summary[kind];
      return line(kind, `${created} created, ${skipped} skipped, ${failed} failed`);
    }),
    line('types', types.length === 0 ? 'none created' : `${types.length} created: ${types.join(', ')}`),
    line('fields', added.length === 0 ? 'none added' : `added to ${added.length} types`),
    ...added.map((addition) => `    ${additionLine(addition)}`),
    line('report', total === 0 ? 'everything is kept as it was' : `${total} lines`),
    ...REASON_NAMES.flatMap((reason) => (reasons[reason] ? [reasonLine(reason, reasons[reason])] : [])),
    ...problemLines(problems),
  ];
}
