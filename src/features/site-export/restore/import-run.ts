import type { Kernel, Transaction } from '#core';
import type { Progress } from '#lib/process/progress';
import type { Secrets } from '../secrets.ts';
import type { SiteTables } from '../tables.ts';
import type { OwnExport } from './own-export.ts';

/** What the steps of an import work with: one transaction, in which everything is written or nothing. */
export type OwnImport = {
  kernel: Kernel;
  tx: Transaction;
  source: OwnExport;
  secrets: Secrets;
  tables: SiteTables;
  progress: Progress;
};

/** What an import has done. */
export type OwnSummary = {
  /** Where it is now: `/` for a whole site. */
  path: string;
  objects: number;
  files: number;
  /** What the site has got beside the content, each a sentence. */
  added: string[];
  /** What stayed behind, each a sentence. */
  left: string[];
};
