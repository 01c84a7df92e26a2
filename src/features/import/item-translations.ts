import { createHash } from 'node:crypto';
import type { Queryable } from '../../storage/database.ts';
import type { ImportPlan, PlannedObject } from './import-plan.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportRun } from './import-run.ts';
import type { ImportSource, ImportTranslationGroup } from './import-source.ts';
import type { ImportSummary } from './import-summary.ts';
import { groupLanguages } from './statements/import-lookups.ts';

/**
 * Decides to which group of translations each object of the export belongs: that of a member which the site has
 * already, else a new one. Answers UIDs in the export with their groups, and
 * the language that each has there.
 */
export async function readItemTranslations(
  db: Queryable,
  source: ImportSource,
  plan: ImportPlan,
  { report, summary }: { report: ImportReport; summary: ImportSummary },
): Promise<ImportRun['translations']> {
  const groupOf = new Map<string, { group: string; language: string }>();
  const joined: { group: string; languages: string[] }[] = [];
  for await (const exported of source.translations()) {
    const members = membersOf(exported, plan, groupOf);
    if (members.length < 2) {
      summary.translations.failed += 1;
      report.problem({
        message: `The translations ${JSON.stringify(exported).slice(0, 300)} have less than two objects that are in no other group.`,
      });
      continue;
    }
    const fresh = members.filter(({ fate }) => fate === 'create');
    if (fresh.length === 0) {
      summary.translations.skipped += 1;
      continue;
    }
    const present = members.find(({ translationGroup }) => translationGroup !== null)?.translationGroup ?? null;
    const group = present ?? newGroup(members);
    const added = new Set(fresh.map(({ exported: { uid } }) => uid));
    const languages = Object.entries(exported).flatMap(([language, uid]) => (added.has(uid) ? [language] : []));
    if (present !== null) joined.push({ group, languages });
    for (const [language, uid] of Object.entries(exported))
      if (members.some((member) => member.exported.uid === uid)) groupOf.set(uid, { group, language });
    summary.translations.created += 1;
  }
  await reportDoubles(db, joined, report);
  return groupOf;
}

function membersOf(
  exported: ImportTranslationGroup,
  plan: ImportPlan,
  groupOf: ImportRun['translations'],
): PlannedObject[] {
  return Object.values(exported).flatMap((uid) => {
    const member = plan.byUid.get(uid);
    return member && member.parent !== null && !groupOf.has(uid) ? [member] : [];
  });
}

/** The same for the same members, so that an interrupted import goes on with it. In the form of a UUID. */
function newGroup(members: readonly PlannedObject[]): string {
  const uids = members.map(({ exported: { uid } }) => uid).sort();
  const hex = createHash('sha256').update(JSON.stringify(uids)).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** A group that the site has may have another object in the language of a new one: that stays out of the group, and it is told. */
async function reportDoubles(
  db: Queryable,
  joined: { group: string; languages: string[] }[],
  report: ImportReport,
): Promise<void> {
  if (joined.length === 0) return;
  const rows = await groupLanguages(
    db,
    joined.map(({ group }) => group),
  );
  for (const { group, languages } of joined) {
    const double = rows.find((row) => row.group === group && row.language !== null && languages.includes(row.language));
    if (double)
      report.problem({
        message: `The translations ${group} have an object in ${double.language} on the site already.`,
      });
  }
}
