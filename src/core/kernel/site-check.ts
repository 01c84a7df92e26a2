import type { Transaction } from '../../database/database.ts';
import type { Kernel } from './kernel.ts';

/** One problem: its kind, its place, and details. */
export type SiteProblem = { kind: string; address: string; detail?: string };

/** Problems that are repaired together, if this is possible without a loss. */
export type FoundProblems = {
  problems: readonly SiteProblem[];
  /**
   * Repairs all of these problems in a transaction, or changes nothing if the data have changed since. Throws when a repair is impossible; the report
   * has the error.
   */
  mend?(tx: Transaction): Promise<void>;
};

/** A kind of problem: a title for the report, and advice. */
export type ProblemKind = { title: string; advice: string };

/** A check of stored data by `canopy check`. */
export type SiteCheck = {
  /** Its name behind `--only`. */
  name: string;
  /** The kinds of problems that it finds. */
  kinds: Readonly<Record<string, ProblemKind>>;
  /** Finds problems, some at a time, while the site is in use. A caller that repairs them does so before it asks for more. */
  find(kernel: Kernel): AsyncIterable<FoundProblems>;
};
