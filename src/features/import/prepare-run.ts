import type { ExportedAddress } from '@canopy-server/site-reader';
import type { Site } from '#core';
import { makePlan } from './import-plan.ts';
import type { ImportJob, ImportRun } from './import-run.ts';
import { typeNames } from './import-types.ts';
import { collectItemRelations, collectItemTranslations, linkMap } from './item-links.ts';
import { createOldAddresses } from './old-addresses.ts';
import type { EarlierObjects } from './planned-object.ts';

/** The state of an import before its objects are planned. */
type Prepared = {
  site: Site;
  groups: ReadonlySet<string>;
  addresses: readonly ExportedAddress[];
  /** The results of earlier imports, for an import of a newer export. */
  earlier?: EarlierObjects;
};

/** Plans the objects of an export, and collects what is needed to write them. */
export async function prepareRun(job: ImportJob, { site, groups, addresses, earlier }: Prepared): Promise<ImportRun> {
  const { source, scope, key, report } = job;
  const { publicUrl } = job.kernel.config;
  const bases = publicUrl === undefined ? [] : [publicUrl];
  const plan = await makePlan(scope.db, key, addresses, report, earlier);
  const missingEnds = new Map<string, Set<string>>();
  return {
    ...job,
    ...{ site, groups, plan },
    typeOf: typeNames(site),
    links: linkMap(plan, bases),
    oldAddresses: createOldAddresses(plan, bases),
    relations: await collectItemRelations(source, plan, { ...job, missingEnds }),
    translations: await collectItemTranslations(scope.db, source, plan, { ...job, missingEnds }),
    missingEnds,
    places: new Map(),
  };
}
