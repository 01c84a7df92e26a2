import type { ImportFormat, ImportProblem } from './import-source.ts';

/**
 * Limit of problems that are kept; more are only counted. A broken export of a large site can have one for each object.
 */
const MAX_PROBLEMS = 10_000;

/** Collects problems with reading an export. */
export interface ProblemLog {
  /** Adds a problem. Returns whether it is new and kept. */
  add(problem: { file?: string | null; path?: string | null; message: string }): boolean;
  /** All problems in the order in which they were found. */
  all(): ImportProblem[];
}

/** Creates an empty log. A problem that occurs again, because parts of an export are read twice, is kept once. */
export function createProblemLog(): ProblemLog {
  const problems = new Map<string, ImportProblem>();
  let uncounted = 0;
  return {
    add({ file = null, path = null, message }) {
      const key = JSON.stringify([file, path, message]);
      if (problems.has(key)) return false;
      if (problems.size >= MAX_PROBLEMS) {
        uncounted += 1;
        return false;
      }
      problems.set(key, { file, path, message });
      return true;
    },
    all() {
      const found = [...problems.values()];
      if (uncounted > 0) found.push({ file: null, path: null, message: `At least ${uncounted} more problems.` });
      return found;
    },
  };
}

/** Collects problems and changes of an import. */
export interface ImportReport {
  /** Adds a problem with one object or one part of the export. Repeated problems count once. */
  problem(problem: { file?: string | null; path?: string | null; message: string }): void;
  /**
   * Adds a note that can apply to many objects, such as an unknown field. It becomes one problem with the number of
   * objects.
   */
  note(message: string, path: string): void;
  /** Returns all problems, notes last. To be called once. */
  finish(): ImportProblem[];
}

/**
 * Limit of different notes: they contain names of types, fields and states, and a hostile export can have any number of
 * those.
 */
const MAX_NOTES = 1000;

/** @param onProblem called with each problem when it is found, and with notes at the end */
export function createReport(onProblem: (problem: ImportProblem) => void): ImportReport {
  const log = createProblemLog();
  const notes = new Map<string, { first: string; paths: number }>();
  const add: ImportReport['problem'] = ({ file = null, path = null, message }) => {
    if (log.add({ file, path, message })) onProblem({ file, path, message });
  };
  return {
    problem: add,
    note(message, path) {
      const known = notes.get(message);
      if (known) known.paths += 1;
      else if (notes.size < MAX_NOTES) notes.set(message, { first: path, paths: 1 });
    },
    finish() {
      for (const [message, { first, paths }] of notes) {
        add({ path: first, message: paths === 1 ? message : `${message} (${paths} objects; this is the first)` });
      }
      return log.all();
    },
  };
}

/** Numbers for one kind of things. `skipped` ones were present already and stay unchanged. */
type Tally = { created: number; skipped: number; failed: number };

const COUNTED = ['objects', 'files', 'users', 'groups', 'redirects', 'translations', 'relations', 'comments'] as const;

/** What an import has done, or in a dry run would have done. */
export type ImportSummary = Record<(typeof COUNTED)[number], Tally> & {
  format: ImportFormat;
  dryRun: boolean;
  /** Ids of the content types that the import created. */
  types: string[];
  /** All problems of the export and of its import, some ten thousand at most. */
  problems: ImportProblem[];
};

const emptyTally = (): Tally => ({ created: 0, skipped: 0, failed: 0 });

/** Returns the summary of an import that has not begun. */
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

/** Returns a problem as one line: first its place, then its message. */
function problemLine({ file, path, message }: ImportProblem): string {
  const place = [path, file].filter((part) => part !== null && part !== '').join(', ');
  // Paths and messages quote the export, which must not move the cursor of a terminal.
  return `${place === '' ? '' : `${place}: `}${message}`.replace(/\p{Cc}/gu, ' ');
}

/** Returns the summary for people as lines: one for each kind, then the problems. */
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
