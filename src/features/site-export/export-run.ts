import type { Kernel, Queryable, Site } from '#core';
import type { Progress } from '#lib/process/progress';
import type { ExportFiles } from './export-files.ts';
import type { Secrets } from './secrets.ts';
import type { SiteTables } from './tables.ts';
import type { ExportTarget } from './target/export-target.ts';

/** What every step of an export works with: one snapshot of the site, and what it is written into. */
export type ExportRun = {
  kernel: Kernel;
  site: Site;
  tx: Queryable;
  tables: SiteTables;
  /** The part that is exported, `/` for the whole site. */
  path: string;
  target: ExportTarget;
  files: ExportFiles;
  secrets: Secrets;
  progress: Progress;
};
