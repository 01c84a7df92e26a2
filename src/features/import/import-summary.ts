import type { ImportFormat, ImportProblem } from './import-source.ts';

/** What became of the pieces of one kind. `skipped` were there already and were left as they are. */
export type Tally = { created: number; skipped: number; failed: number };

const COUNTED = ['objects', 'files', 'users', 'groups', 'redirects', 'translations', 'relations', 'comments'] as const;

/** What an import has done, or in a dry run would have done. */
export type ImportSummary = Record<(typeof COUNTED)[number], Tally> & {
  format: ImportFormat;
  dryRun: boolean;
  /** Ids of the content types that the import made. */
  types: string[];
  /** All problems, of the export and of its import; at most some ten thousand are kept. */
  problems: ImportProblem[];
};

const emptyTally = (): Tally => ({ created: 0, skipped: 0, failed: 0 });

/** The summary of an import that has not begun. */
export const emptySummary = (format: ImportFormat, dryRun: boolean): ImportSummary => ({
  format,
  dryRun,
  objects: emptyTally(),
  files: emptyTally(),
  types: [],
  users: emptyTally(),
  groups: emptyTally(),
  redirects: emptyTally(),
  translations: emptyTally(),
  relations: emptyTally(),
  comments: emptyTally(),
  problems: [],
});

/** A problem as one line: where it is, then what it is. */
function problemLine({ file, path, message }: ImportProblem): string {
  const place = [path, file].filter((part) => part !== null && part !== '').join(', ');
  // Paths and messages quote the export, which must not move the cursor of a terminal.
  return `${place === '' ? '' : `${place}: `}${message}`.replace(/\p{Cc}/gu, ' ');
}

/** The summary for people, line by line: one for each kind, then the problems. */
export function summaryLines(summary: ImportSummary): string[] {
  const { dryRun, format, types, problems } = summary;
  const width = Math.max(...COUNTED.map((kind) => kind.length)) + 1;
  const line = (kind: string, text: string) => `  ${`${kind}:`.padEnd(width)} ${text}`;
  return [
    dryRun ? `Dry run of an import (${format}): nothing was changed.` : `Import (${format}):`,
    ...COUNTED.map((kind) => {
      const { created, skipped, failed } = summary[kind];
      return line(kind, `${created} created, ${skipped} skipped, ${failed} failed`);
    }),
    line('types', types.length === 0 ? 'none created' : `${types.length} created: ${types.join(', ')}`),
    line('problems', String(problems.length)),
    ...problems.map((problem) => `    ${problemLine(problem)}`),
  ];
}
