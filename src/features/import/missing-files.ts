import type { ExportedFile, ExportedItem } from '@canopy-server/site-reader';
import { callers, contentPath, contentRows, indexing, type StoredFile } from '#core';
import type { ImportRun } from './import-run.ts';
import { holdsImage, storeFile } from './load-item.ts';
import type { PlannedObject } from './planned-object.ts';
import { forgetImported, importedKeysLike } from './statements/progress.ts';

/** Begins the keys of the import's progress for files that the export lacks, each by object and field. */
const MARK = '#file:';

const keyOf = (uid: string, field: string): string => `${MARK}${JSON.stringify([uid, field])}`;

/** The keys of the progress for the files of an object that the export does not have. */
export const missingFileKeys = ({
  planned,
  item,
  files,
}: {
  planned: PlannedObject;
  item: ExportedItem;
  files: ReadonlyMap<string, StoredFile>;
}): string[] => item.files.flatMap(({ field }) => (files.has(field) ? [] : [keyOf(planned.exported.uid, field)]));

/**
 * Gives objects of an earlier run of the same import the files that the export lacked then and has now. A field that is no longer
 * empty stays as it is.
 */
export async function fillMissingFiles(run: ImportRun): Promise<void> {
  const { scope, key, source, plan } = run;
  const wanted = new Set(await importedKeysLike(scope.db, key, MARK));
  if (wanted.size === 0) return;
  const uids = new Set(
    [...wanted].map((mark) => {
      const [uid]: unknown[] = JSON.parse(mark.slice(MARK.length));
      return uid;
    }),
  );
  const isWanted = (path: string) => {
    const planned = plan.byPath.get(path);
    return planned?.state === 'done' && uids.has(planned.exported.uid);
  };
  for await (const item of source.items(({ path }) => isWanted(path))) {
    const planned = plan.byPath.get(item.path);
    if (!planned) continue;
    for (const file of item.files) {
      const mark = keyOf(planned.exported.uid, file.field);
      if (wanted.has(mark)) await fillField(run, planned, { path: item.path, type: item.type, file, mark });
    }
  }
}

async function fillField(
  run: ImportRun,
  planned: PlannedObject,
  { path, type: name, file, mark }: { path: string; type: string; file: ExportedFile; mark: string },
): Promise<void> {
  const { scope, key, site, kernel, summary, report, typeOf } = run;
  const type = typeOf(name);
  const stored = type && (await storeFile(run, path, file, holdsImage(run, type, file)));
  // That it still is not in the export is reported by what reads the export.
  if (!stored || planned.oid === null) return;
  const { oid } = planned;
  const filled = await scope.write(async (tx) => {
    const way = contentPath.to(planned.path);
    await contentRows.lock(
      tx,
      way.filter((one) => one !== planned.path),
      'shared',
    );
    await contentRows.lock(tx, [planned.path], 'exclusive');
    await forgetImported(tx, key, mark);
    if (!(await contentRows.fillEmptyField(tx, oid, { field: file.field, value: stored }))) return false;
    await indexing.writeCatalog(tx, site, [oid]);
    await kernel.events.emit('content.imported', { oids: [oid], site }, { tx, caller: callers.ANONYMOUS });
    return true;
  });
  summary.files[filled ? 'created' : 'skipped'] += 1;
  report.add(
    filled
      ? { reason: 'added', path, key: file.field, message: `Field ${file.field} got the file that was missing before.` }
      : { reason: 'kept', path, key: file.field, message: `Field ${file.field} has a file of the site, which stays.` },
  );
}
