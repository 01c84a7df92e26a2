import type { ImportProblem } from './import-source.ts';
import { createProblemLog } from './readers/problem-log.ts';

/** Collects what could not be imported as it was. */
export interface ImportReport {
  /** Something about one object, or about one piece of the export. The same problem twice is one. */
  problem(problem: { file?: string | null; path?: string | null; message: string }): void;
  /** Something that is the same for many objects, such as an unknown field: one problem that tells how many. */
  note(message: string, path: string): void;
  /** Everything that was collected, notes last. To be called once. */
  finish(): ImportProblem[];
}

/** Kinds of notes come from names of types, fields and states: a hostile export can have any number of those. */
const MAX_NOTES = 1000;

/** @param onProblem is told of each problem when it is found, of notes at the end */
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
