import { createHash } from 'node:crypto';
import { EFFECTS, type ImportEffect, type ImportReason, REASON_NAMES, REASONS } from './import-reasons.ts';

/**
 * One thing of an export that is not on the site as it was. `file` is relative to the export, `path` is that of the content
 * and `key` the name of its field or setting, each as exported; null where it does not apply.
 */
export type ImportProblem = {
  reason: ImportReason;
  file: string | null;
  path: string | null;
  key: string | null;
  message: string;
};

/** A problem as it is found. */
type FoundProblem = Pick<ImportProblem, 'reason' | 'message'> & Partial<ImportProblem>;

/** Collects what an import cannot keep, and what it changes and adds. */
export interface ImportReport {
  /** Adds a problem. One that is found again, because parts of an export are read twice, counts once. */
  add(problem: FoundProblem): void;
  /**
   * Adds a problem that many objects can have, such as a state that the site lacks: the summary has it once, with the number
   * of objects.
   */
  note(problem: FoundProblem): void;
  /** The problems of the summary, the worst first; of one reason in the order in which they were found, notes last. */
  problems(): ImportProblem[];
  /** The number of all problems by their reasons, of notes the number of objects. */
  counts(): Partial<Record<ImportReason, number>>;
}

/** Limit of problems of one effect in a summary; more are only counted. A broken export of a large site can have one for each object. */
const MAX_PROBLEMS = 10_000;

/**
 * Limit of different notes: they contain names of types, fields and states, and a hostile export can have any number of
 * those.
 */
const MAX_NOTES = 1000;

/** Limit of problems that are recognized when they are found again: some 50 MB. */
const MAX_KNOWN = 500_000;

/** A text that stands for a problem among half a million. */
const markOf = ({ reason, file, path, key, message }: ImportProblem): string =>
  createHash('sha256')
    .update(JSON.stringify([reason, file, path, key, message]))
    .digest('base64url')
    .slice(0, 16);

const byReason = (a: ImportProblem, b: ImportProblem): number =>
  REASON_NAMES.indexOf(a.reason) - REASON_NAMES.indexOf(b.reason);

/** @param onProblem called with each problem when it is found, whatever their number */
export function createReport(onProblem: (problem: ImportProblem) => void = () => {}): ImportReport {
  const kept = new Map<ImportEffect, ImportProblem[]>(EFFECTS.map((effect) => [effect, []]));
  const known = new Set<string>();
  const notes = new Map<string, { first: ImportProblem; objects: number }>();
  const counts = new Map<ImportReason, number>();
  let uncounted = 0;

  const isNew = (problem: ImportProblem): boolean => {
    const mark = markOf(problem);
    if (known.has(mark)) return false;
    if (known.size < MAX_KNOWN) known.add(mark);
    return true;
  };
  const count = ({
    reason,
    message,
    file = null,
    path = null,
    key = null,
  }: FoundProblem): ImportProblem | undefined => {
    const problem = { reason, file, path, key, message };
    if (!isNew(problem)) return undefined;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    onProblem(problem);
    return problem;
  };

  return {
    add(found) {
      const problem = count(found);
      if (!problem) return;
      const alike = kept.get(REASONS[problem.reason].effect) ?? [];
      if (alike.length < MAX_PROBLEMS) alike.push(problem);
      else uncounted += 1;
    },
    note(found) {
      const problem = count(found);
      if (!problem) return;
      const note = notes.get(problem.message);
      if (note) note.objects += 1;
      else if (notes.size < MAX_NOTES) notes.set(problem.message, { first: problem, objects: 1 });
      else uncounted += 1;
    },
    problems() {
      const noted = [...notes.values()].map(({ first, objects }) =>
        objects === 1 ? first : { ...first, message: `${first.message} (${objects} objects; this is the first)` },
      );
      const more: ImportProblem[] =
        uncounted > 0
          ? [{ reason: 'object', file: null, path: null, key: null, message: `At least ${uncounted} more problems.` }]
          : [];
      return [...[...[...kept.values()].flat(), ...noted].sort(byReason), ...more];
    },
    counts: () => Object.fromEntries(counts),
  };
}
