import type { ImportPlan } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportSource } from './import-source.ts';
import type { ImportSummary } from './import-summary.ts';

/** A relation from one object: `target` is a UID on this site. */
export type ItemRelation = { relation: string; target: string };

/** UID in the export to the relations that the export keeps beside its objects. */
export type ItemRelations = ReadonlyMap<string, readonly ItemRelation[]>;

/** Plone's index of links in texts and blocks, which is made anew from them. */
const LINKS = 'isReferencing';

/** Reads the relations of an export. Those of objects that stay as they are, and those to nothing, are only counted. */
export async function readItemRelations(
  source: ImportSource,
  plan: ImportPlan,
  { report, summary }: { report: ImportReport; summary: ImportSummary },
): Promise<ItemRelations> {
  const relations = new Map<string, ItemRelation[]>();
  for await (const { from_uuid: from, to_uuid: to, relation } of source.relations()) {
    if (relation === LINKS) continue;
    const origin = plan.byUid.get(from);
    const target = plan.byUid.get(to);
    if (!origin || !target) {
      summary.relations.failed += 1;
      report.problem({
        message: `The relation ${relation} from ${from} to ${to} leads to or comes from nothing in the export.`,
      });
    } else if (origin.fate !== 'create') {
      summary.relations.skipped += 1;
    } else {
      const list = relations.get(origin.exported.uid) ?? [];
      list.push({ relation, target: target.uid });
      relations.set(origin.exported.uid, list);
    }
  }
  return relations;
}
