import type { ExportSource } from '@canopy-server/site-reader';
import { type Database, inSavepoint, type Kernel, type Queryable, type Site, type Transaction } from '#core';
import type { Progress } from '#lib/process/progress';
import type { Again } from './again/again-job.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportSummary } from './import-summary.ts';
import type { TypeNames } from './import-types.ts';
import type { ItemRelations, LinkMap, MissingEnds } from './item-links.ts';
import type { OldAddresses } from './old-addresses.ts';
import type { ImportPlan } from './planned-object.ts';

/** The state that all steps of an import share. */
export type ImportJob = {
  kernel: Omit<Kernel, 'db' | 'log' | 'sites' | 'hooks'>;
  source: ExportSource;
  /** The key of the import's progress: the same for the same export, wherever its folder is. */
  key: string;
  scope: ImportScope;
  dryRun: boolean;
  /** True if the text of classic content becomes a block. */
  textAsBlocks: boolean;
  report: ImportReport;
  summary: ImportSummary;
  progress: Progress;
  /** Present if the export is a newer one of what was imported before. */
  again?: Again | undefined;
};

/** The further state for steps that write content. */
export type ImportRun = ImportJob & {
  site: Site;
  typeOf: TypeNames;
  /** Ids of all groups, of the export and of the site. */
  groups: ReadonlySet<string>;
  plan: ImportPlan;
  links: LinkMap;
  oldAddresses: OldAddresses;
  relations: ItemRelations;
  missingEnds: MissingEnds;
  /** Group of translations and language, by UID in the export. */
  translations: ReadonlyMap<string, { group: string; language: string }>;
  /** Position of the first imported child, by the number of its container; filled while content is written. */
  places: Map<number, number>;
};

/** Where an import reads and writes: the database itself, or one transaction that is rolled back at the end. */
export type ImportScope = {
  db: Queryable;
  /** Runs `work` so that everything is written or, when it throws, nothing. `work` may run again after a collision. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
};

/**
 * The scope in which every write is a transaction of its own: what has been written stays when the import fails later.
 */
export const lastingScope = (db: Database): ImportScope => ({ db, write: (work) => db.transaction(work) });

/** The scope of a rehearsal: each write is a part of one transaction, which is rolled back in the end. */
export const partScope = (tx: Transaction): ImportScope => ({ db: tx, write: (step) => inSavepoint(tx, step) });
