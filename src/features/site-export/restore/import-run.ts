import type { Kernel, Transaction } from '#core';
import type { Progress } from '#lib/process/progress';
import type { Secrets } from '../secrets.ts';
import type { SiteTables } from '../tables.ts';
import type { OwnExport } from './own-export.ts';

/** The state that the steps of an import share: one transaction that writes everything or nothing. */
export type OwnImport = {
  kernel: Kernel;
  tx: Transaction;
  source: OwnExport;
  secrets: Secrets;
  tables: SiteTables;
  progress: Progress;
};

/** The result of an import. */
export type OwnSummary = {
  /** The new path: `/` for a whole site. */
  path: string;
  objects: number;
  files: number;
  /** The additions to the site beside the content, each a sentence. */
  added: string[];
  /** The parts that were left out, each a sentence. */
  left: string[];
};
