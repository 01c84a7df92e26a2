import type { ExportedItem } from '@canopy-server/site-reader';
import {
  access,
  callers,
  contentPath,
  contentRows,
  contentStates,
  indexing,
  nodeFields,
  type Queryable,
  sqlErrors,
  type TreeNode,
  workflowHistory,
} from '#core';
import { ClientError } from '#lib/errors';
import { insertVersions } from '../history/statements.ts';
import { recordBases } from './again/record-bases.ts';
import { datesOf, exportedColumns, historyOf, localRolesOf, settingsOf, withRelations } from './content-rows.ts';
import type { ImportRun } from './import-run.ts';
import { type ParsedItem, parseLoaded, resolveBatch } from './item-values.ts';
import { loadItem, missingContainer } from './load-item.ts';
import { missingFileKeys } from './missing-files.ts';
import type { PlannedObject } from './planned-object.ts';
import { rootState } from './statements/content.ts';
import { rememberImported } from './statements/progress.ts';
import { versionsOf } from './version-rows.ts';
import { type BatchResult, countCreated, type ReadyItem, writeBatch } from './write-batch.ts';

/** A batch is written when the JSON of its fields has more characters than this, whatever the number of its objects. */
const MAX_BATCH_LENGTH = 8 * 1024 * 1024;

/**
 * Writes all objects of the plan that are not on the site yet, batch by batch; written batches stay when a later one
 * fails. While the database writes a batch, the next one is loaded.
 */
export async function importContent(run: ImportRun, batchSize: number): Promise<void> {
  countPresent(run);
  let writing: Promise<void> = Promise.resolve();
  let batch: ParsedItem[] = [];
  let length = 0;
  const flush = async () => {
    await writing;
    writing = writeCounted(run, batch);
    // A failure is thrown by the next `await writing`; until then it must not count as unhandled.
    writing.catch(() => undefined);
    batch = [];
    length = 0;
  };
  try {
    for await (const { planned, item } of itemsToImport(run)) {
      if (planned === run.plan.root) {
        await writing;
        await importRoot(run, item);
        run.progress.tick();
        continue;
      }
      const loaded = await loadItem(run, planned, item);
      if (!loaded) {
        fail(run, planned);
        run.progress.tick();
        continue;
      }
      // Values are parsed while the database writes the batch before.
      batch.push(parseLoaded(run, loaded));
      const fields = JSON.stringify(item.fields);
      run.oldAddresses.count(fields);
      length += fields.length + JSON.stringify(item.versions).length;
      if (batch.length >= batchSize || length > MAX_BATCH_LENGTH) await flush();
    }
    await flush();
    await writing;
  } finally {
    // No write may still run when the caller ends the transaction or closes the database.
    await Promise.allSettled([writing]);
  }
  // Objects that were listed but could not be loaded again: the reader of the export has reported why.
  for (const planned of run.plan.byUid.values()) if (planned.state === 'create') fail(run, planned);
}

function countPresent({ again, plan, summary, progress }: ImportRun): void {
  for (const { state, exported } of plan.byUid.values()) {
    // An import of a newer export has looked at what earlier ones brought.
    if ((state === 'done' && !again) || (state === 'present' && exported.type !== '')) summary.objects.skipped += 1;
  }
  progress.tick(summary.objects.skipped);
}

async function writeCounted(run: ImportRun, batch: readonly ParsedItem[]): Promise<void> {
  if (batch.length === 0) return;
  await importBatch(run, await resolveBatch(run, batch));
  run.progress.tick(batch.length, batch.at(-1)?.loaded.planned.path ?? '');
}

async function* itemsToImport(run: ImportRun): AsyncGenerator<{ planned: PlannedObject; item: ExportedItem }> {
  const { plan, source } = run;
  for (const planned of plan.missing) yield { planned, item: missingContainer(run, planned) };
  for await (const item of source.items(({ path }) => plan.byPath.get(path)?.state === 'create')) {
    const planned = plan.byPath.get(item.path);
    if (planned) yield { planned, item };
  }
}

/**
 * Writes a batch. When the database rejects it, its halves are written one after the other, and so on until the one
 * object that is rejected is found: that object is left out and reported.
 */
async function importBatch(run: ImportRun, batch: readonly ReadyItem[]): Promise<void> {
  let result: BatchResult;
  try {
    result = await run.scope.write(async (tx) => {
      const written = await writeBatch(tx, run, batch);
      const event = { oids: [...written.made.values()], site: run.site };
      if (event.oids.length > 0)
        await run.kernel.events.emit('content.imported', event, { tx, caller: callers.ANONYMOUS });
      return written;
    });
  } catch (error) {
    if (!isRejection(error)) throw error;
    const [only] = batch;
    if (batch.length === 1 && only) {
      const { planned, item } = only.loaded;
      run.report.add({ reason: 'object', path: item.path, message: `It could not be written: ${error.message}` });
      fail(run, planned);
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await importBatch(run, batch.slice(0, middle));
    await importBatch(run, batch.slice(middle));
    return;
  }
  for (const item of batch) settle(run, item, result);
}

/** True if the written data caused the error, not the database or the connection. */
function isRejection(error: unknown): error is Error {
  if (error instanceof ClientError) return true;
  // Data exception, broken constraint, limit exceeded.
  return ['22', '23', '54'].includes(sqlErrors.sqlState(error)?.slice(0, 2) ?? '');
}

function settle(run: ImportRun, ready: ReadyItem, { made, taken }: BatchResult): void {
  const { report, summary } = run;
  const { planned, item } = ready.loaded;
  const oid = made.get(planned);
  if (oid !== undefined) {
    countCreated(run, ready, oid);
  } else if (taken.includes(planned)) {
    planned.state = 'present';
    summary.objects.skipped += 1;
    report.add({
      reason: 'present',
      path: item.path,
      message: `Its path ${planned.path} or its UID was taken while the import ran.`,
    });
  } else {
    report.add({
      reason: 'object',
      path: item.path,
      message: 'Its container is not on the site: the object is left out.',
    });
    fail(run, planned);
  }
}

function fail({ summary }: ImportRun, planned: PlannedObject): void {
  planned.state = 'failed';
  summary.objects.failed += 1;
}

/**
 * Gives the site root the exported values if nobody has changed it since the site was created. Its owner and its
 * present local roles stay, and so does its state when the export has none.
 */
async function importRoot(run: ImportRun, exported: ExportedItem): Promise<void> {
  const { plan, scope, report, summary } = run;
  const [node] = await contentRows.nodesAt(scope.db, [contentPath.ROOT]);
  if (!node) throw new Error('The site has no root');
  const item = { ...exported, reviewState: exported.reviewState ?? node.reviewState };
  const loaded = await loadItem(run, plan.root, item);
  if (!loaded) {
    summary.objects.failed += 1;
    plan.root.state = 'failed';
    return;
  }
  const [ready] = await resolveBatch(run, [parseLoaded(run, { ...loaded, name: node.title })]);
  if (ready && (await scope.write((tx) => writeRoot(tx, run, ready)))) return countCreated(run, ready, node.oid);
  summary.objects.skipped += 1;
  plan.root.state = 'present';
  report.add({
    reason: 'present',
    path: contentPath.ROOT,
    message: 'The site root was edited while the import ran and stays as it is.',
  });
}

async function writeRoot(tx: Queryable, run: ImportRun, ready: ReadyItem): Promise<boolean> {
  const { loaded, fields: values, versions } = ready;
  const { kernel, site, plan, relations, key } = run;
  const { planned, item, type, reviewState, layout, constrains } = loaded;
  await contentRows.lock(tx, [contentPath.ROOT], 'exclusive');
  const [before] = await contentRows.nodesAt(tx, [contentPath.ROOT]);
  if (!before) return false;
  const { fields, others } = withRelations(
    run.kernel.fieldKinds,
    values,
    type,
    relations.get(planned.exported.uid) ?? [],
  );
  const dates = datesOf(item, new Date());
  const change = {
    ...{ reviewState, layout, constrains, fields },
    ...dates,
    ...settingsOf(item),
    uid: plan.root.uid,
    ...(item.created === null ? {} : { created: dates.created }),
    modified: item.modified === null ? new Date() : dates.modified,
    language: item.language ?? before.language,
    localRoles: { ...localRolesOf(run, item, before.owner), ...before.localRoles },
  };
  if (!(await rootState(tx)).untouched) return false;
  await contentRows.update(tx, before.oid, change);
  const node: TreeNode = { ...before, ...change, ...nodeFields(fields) };
  await indexing.replace(kernel, tx, site, { object: { ...node, fields }, chain: [access.node(site, node)], others });
  if (item.workflowHistory.length > 0) {
    const history = historyOf(run, item, { type, reviewState, owner: node.owner, at: dates.created });
    await workflowHistory.add(
      tx,
      history.map((entry) => ({ ...entry, content: node.oid })),
    );
  }
  const older = versionsOf(item, versions, { ...change, type, owner: node.owner, created: dates.created, layout });
  await insertVersions(
    tx,
    older.map((version) => ({ ...version, content: node.oid })),
  );
  // Content that is on the site already may inherit its viewers from the root.
  await indexing.updateViewers(tx, site, contentPath.ROOT, []);
  const state = contentStates.of(exportedColumns(run, ready, before).columns);
  await recordBases(tx, run, [{ planned, item, state }]);
  const missing = missingFileKeys(loaded).map((uid) => ({ uid, content: null }));
  await rememberImported(tx, key, [{ uid: planned.exported.uid, content: node.oid }, ...missing]);
  return true;
}
