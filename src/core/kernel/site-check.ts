import type { Transaction } from '../../database/database.ts';
import type { Kernel } from './kernel.ts';

/** One thing that is wrong: its kind, where it is, and what exactly. */
export type SiteProblem = { kind: string; address: string; detail?: string };

/** Problems that are mended together, if they can be without a loss. */
export type FoundProblems = {
  problems: readonly SiteProblem[];
  /**
   * Mends all of them, in a transaction that finds them as they were or changes nothing. Throws when they cannot be mended; what it
   * throws is said in the report.
   */
  mend?(tx: Transaction): Promise<void>;
};

/** A kind of problem: a title for the report, and what to do about it. */
export type ProblemKind = { title: string; advice: string };

/** A check of what is stored, which `canopy check` makes. */
export type SiteCheck = {
  /** Its name behind `--only`. */
  name: string;
  /** The kinds of problems that it finds. */
  kinds: Readonly<Record<string, ProblemKind>>;
  /** Finds what is wrong, some at a time, while the site is in use. A caller that repairs mends what it gets before it asks for more. */
  find(kernel: Kernel): AsyncIterable<FoundProblems>;
};
