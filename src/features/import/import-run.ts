import type { Progress } from '../../lib/progress.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Registries } from '../../site/registries.ts';
import type { Site } from '../../site/site.ts';
import type { Database, Queryable, Transaction } from '../../storage/database.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportReport, ImportSummary } from './import-report.ts';
import type { ImportSource } from './import-source.ts';
import type { TypeNames } from './import-types.ts';
import type { ItemRelations, LinkMap } from './item-links.ts';
import { beginStep, keepStep, undoStep } from './statements/progress.ts';

/** What every step of an import works with. */
export type ImportJob = {
  kernel: Registries & Pick<Kernel, 'blobs' | 'config'>;
  source: ImportSource;
  /** Under what the progress of this import is kept: the same for the same export, wherever its folder lies. */
  key: string;
  scope: ImportScope;
  dryRun: boolean;
  report: ImportReport;
  summary: ImportSummary;
  progress: Progress;
};

/** What the steps that write content need beyond that. */
export type ImportRun = ImportJob & {
  site: Site;
  typeOf: TypeNames;
  /** Ids of all groups, of the export and of the site. */
  groups: ReadonlySet<string>;
  plan: ImportPlan;
  links: LinkMap;
  relations: ItemRelations;
  /** UID in the export to the group of translations, and the language that it has in it. */
  translations: ReadonlyMap<string, { group: string; language: string }>;
  /** Number of a container to the place of its first imported child; filled in on the way. */
  places: Map<number, number>;
};

/** Where an import reads and writes: the database itself, or one transaction that leaves nothing behind. */
export type ImportScope = {
  db: Queryable;
  /** Runs `work` so that all of it is written or, when it throws, nothing. It may be run again after a collision. */
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
};

/** Every write is a transaction of its own: what an import has done stays, whatever happens to it. */
export const lastingScope = (db: Database): ImportScope => ({ db, write: (work) => db.transaction(work) });

class Rehearsed<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('The rehearsal is over');
    this.result = result;
  }
}

/** Runs `work` in one transaction that is rolled back at its end, and answers what `work` answered. */
export async function rehearse<T>(db: Database, work: (scope: ImportScope) => Promise<T>): Promise<T> {
  try {
    return await db.transaction(async (tx): Promise<T> => {
      throw new Rehearsed(await work({ db: tx, write: (step) => runStep(tx, step) }));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result;
    throw error;
  }
}

async function runStep<T>(tx: Transaction, step: (tx: Queryable) => Promise<T>): Promise<T> {
  await beginStep(tx);
  try {
    const result = await step(tx);
    await keepStep(tx);
    return result;
  } catch (error) {
    await undoStep(tx);
    throw error;
  }
}
