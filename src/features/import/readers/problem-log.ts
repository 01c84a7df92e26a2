import type { ImportProblem } from '../import-source.ts';

/** A broken export of a large site can have a problem for each object; more than this many are only counted. */
const MAX_PROBLEMS = 10_000;

/** Collects what could not be read. */
export interface ProblemLog {
  /** Answers whether the problem is new and kept. */
  add(problem: { file?: string | null; path?: string | null; message: string }): boolean;
  /** All problems in the order in which they were found. */
  all(): ImportProblem[];
}

/** Makes an empty log. A problem that is met again, because an export is read twice, is kept once. */
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
