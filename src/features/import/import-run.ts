import type { Progress } from '../../lib/progress.ts';
import type { Kernel } from '../../site/kernel.ts';
import type { Registries } from '../../site/registries.ts';
import type { Site } from '../../site/site.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportScope } from './import-scope.ts';
import type { ImportSource } from './import-source.ts';
import type { ImportSummary } from './import-summary.ts';
import type { ItemRelations } from './item-relations.ts';
import type { LinkMap } from './link-map.ts';
import type { TypeNames } from './type-names.ts';

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
