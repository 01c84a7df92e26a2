import type { Kernel, Queryable, Site } from '#core';
import type { Progress } from '#lib/process/progress';
import type { ExportFiles } from './export-files.ts';
import type { Secrets } from './secrets.ts';
import type { SiteTables } from './tables.ts';
import type { ExportTarget } from './target/export-target.ts';

/** The state that all steps of an export share: one snapshot of the site, and the target. */
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
