import type { ImportRun } from './import-run.ts';
import type { ReadyItem } from './write-batch.ts';

/** Counts an object that has been written under the number `oid`, with what came along, and tells its problems. */
export function countMade(
  { report, summary, relations }: ImportRun,
  { loaded, problems, unknown }: ReadyItem,
  oid: number,
): void {
  const { planned, item, files, type } = loaded;
  planned.oid = oid;
  planned.fate = 'made';
  summary.objects.created += 1;
  summary.files.created += files.size;
  summary.files.failed += item.files.length - files.size;
  summary.relations.created += relations.get(planned.exported.uid)?.length ?? 0;
  for (const message of problems) report.problem({ path: item.path, message });
  for (const name of unknown) {
    report.note(
      `The type ${type.id} has no field ${name}: its value is kept, but not served until the type has one.`,
      item.path,
    );
  }
}
