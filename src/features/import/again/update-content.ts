import { OLDER_VERSIONS } from '@canopy-server/plone-export';
import type { ExportedItem, ExportedPart } from '@canopy-server/site-reader';
import { contentStates, findContents, locate, locateAllForWrite, type ResolvedNode, type Transaction } from '#core';
import { resolveBatch } from '../item-values.ts';
import type { PlannedObject } from '../planned-object.ts';
import { loadBases, type PackedBase, writeBases } from '../statements/bases.ts';
import type { ReadyItem } from '../write-batch.ts';
import type { AgainRun } from './again-job.ts';
import { type ImportedState, packState, unpackState, unpackVersion } from './imported-state.ts';
import { type NewVersions, newVersions } from './new-versions.ts';
import { containerKey, nameThere } from './record-bases.ts';
import { type LoadedAgain, loadAgain, stateThere } from './state-there.ts';
import { writeMerged } from './write-merged.ts';
import { writeWithVersions } from './write-versions.ts';

/** Length of the JSON of a batch's fields, in characters, above which it is written. */
const MAX_BATCH_LENGTH = 8 * 1024 * 1024;

/** An object of the newer export with what it was at the last import. */
type Compared = {
  loaded: LoadedAgain;
  ready: ReadyItem;
  packed: PackedBase | undefined;
  base: ImportedState | undefined;
  there: ImportedState;
  versions: NewVersions;
};

/**
 * Brings what the newer export changes of objects that an earlier one brought, batch by batch: each batch is one transaction with its
 * bases, so that an interrupted import goes on where it stopped. Objects that are as at the last import are only read.
 */
export async function updateContent(run: AgainRun, batchSize: number): Promise<void> {
  const parts = await run.source.parts();
  const isWanted = (path: string) => run.plan.byPath.get(path)?.state === 'done';
  let batch: { planned: PlannedObject; item: ExportedItem }[] = [];
  let length = 0;
  const flush = async () => {
    await updateBatch(run, batch, parts);
    run.progress.tick(batch.length, batch.at(-1)?.planned.path ?? '');
    batch = [];
    length = 0;
  };
  for await (const item of run.source.items(({ path }) => isWanted(path))) {
    const planned = run.plan.byPath.get(item.path);
    if (!planned) continue;
    batch.push({ planned, item });
    length += JSON.stringify(item.fields).length;
    if (batch.length >= batchSize || length > MAX_BATCH_LENGTH) await flush();
  }
  await flush();
}

/** Loads objects of the newer export and compares them with the last import. */
export async function compareBatch(
  run: AgainRun,
  batch: readonly { planned: PlannedObject; item: ExportedItem }[],
  parts: ReadonlySet<ExportedPart>,
): Promise<Compared[]> {
  const uids = batch.map(({ planned }) => planned.exported.uid);
  const bases = new Map((await loadBases(run.scope.db, run.key, uids)).map((base) => [base.uid, base]));
  const loads: { loaded: LoadedAgain; packed: PackedBase | undefined; base: ImportedState | undefined }[] = [];
  for (const { planned, item } of batch) {
    const packed = bases.get(planned.exported.uid);
    const base = packed && unpackState(packed.state);
    const loaded = await loadAgain(run, planned, item, base);
    if (loaded) loads.push({ loaded, packed, base });
  }
  const ready = await resolveBatch(
    run,
    loads.map(({ loaded }) => loaded.parsed),
  );
  return loads.flatMap(({ loaded, packed, base }, index) => {
    const item = ready[index];
    if (!item) return [];
    const there = stateThere(run, item, { base, parts });
    const versions = newVersions(loaded.item, packed && unpackVersion(packed.state));
    return [{ loaded, ready: item, packed, base, there, versions }];
  });
}

/** Says if an object of the newer export is as at the last import. */
export const isAsBefore = ({ base, there }: Compared): boolean =>
  base !== undefined && contentStates.areSame(base, there);

async function updateBatch(
  run: AgainRun,
  batch: readonly { planned: PlannedObject; item: ExportedItem }[],
  parts: ReadonlySet<ExportedPart>,
): Promise<void> {
  if (batch.length === 0) return;
  const compared = await compareBatch(run, batch, parts);
  const changed = compared.filter((one) => !isAsBefore(one) || one.versions.isNew);
  run.again.differences.unchanged(compared.length - changed.length);
  if (changed.length === 0) return;
  const outcomes = await run.scope.write((tx) => writeChanged(tx, run, changed));
  for (const outcome of outcomes) reportOutcome(run, outcome);
}

/** The result for one object. It is not written where a conflict without a rule arose while the import runs. */
type Outcome = { one: Compared; merged: contentStates.Merged; path: string; uid: string; isWritten: boolean };

async function writeChanged(tx: Transaction, run: AgainRun, changed: readonly Compared[]): Promise<Outcome[]> {
  const objects = await findContents(tx, { uids: changed.map(({ loaded }) => loaded.planned.uid) });
  const present = new Map(objects.map((resolved) => [resolved.object.uid, resolved]));
  const outcomes: Outcome[] = [];
  const merging: { one: Compared; resolved: ResolvedNode }[] = [];
  for (const one of changed) {
    const resolved = present.get(one.loaded.planned.uid);
    if (resolved) merging.push({ one, resolved });
  }
  await locateAllForWrite(
    run.again.kernel,
    tx,
    merging.map(({ resolved }) => ({ path: resolved.object.path, lockMode: 'change' as const })),
  );
  const bases: PackedBase[] = [];
  for (const { one, resolved: found } of merging) {
    // Loaded once more: what was written for one object may have changed its translations.
    const { site, resolved } = await locate(run.again.kernel, found.object.path, tx);
    if (resolved?.object.uid !== found.object.uid) continue;
    const type = site.types.get(resolved.object.type);
    if (!type) continue;
    const { rule, kernel } = run.again;
    const sides = { base: one.base, there: one.there, here: resolved };
    const merged = contentStates.merge({ kernel, site, type, takes: rule === 'take' }, sides);
    const isWritten = merged.conflicts.length === 0 || rule !== 'stop' || run.dryRun;
    outcomes.push({ one, merged, path: resolved.object.path, uid: resolved.object.uid, isWritten });
    if (!isWritten) continue;
    await writeWithVersions(tx, run, { site, type, resolved, merged, ...one }, () =>
      writeMerged(tx, run, { site, type, resolved, loaded: one.loaded, merged }),
    );
    const { planned } = one.loaded;
    const { parent = containerKey(planned.parent), name = nameThere(planned) } = one.packed ?? {};
    bases.push({
      uid: planned.exported.uid,
      object: planned.uid,
      parent,
      name,
      state: packState(one.there, one.loaded.item),
    });
  }
  await writeBases(tx, run.key, bases);
  return outcomes;
}

/** Says if a problem is one of the object itself, or of a version that the last import did not have. */
function isOfNewVersion(key: string, { older }: NewVersions): boolean {
  const start = `${OLDER_VERSIONS}.`;
  return !key.startsWith(start) || older.some(({ version }) => key.startsWith(`${start}${version.number}.`));
}

/** Reports what became of an object, once it is written. */
function reportOutcome(run: AgainRun, { one, merged, path, uid, isWritten }: Outcome): void {
  const { differences } = run.again;
  for (const conflict of merged.conflicts) differences.conflict({ path, uid, ...conflict });
  if (!isWritten) return;
  const { values, layout } = merged.change;
  const parts = [
    ...Object.keys(values).filter((name) => name !== 'blocks_layout' || !('blocks' in values)),
    ...(layout === undefined ? [] : ['layout']),
    ...Object.keys(merged.settings),
    ...(one.versions.isNew ? ['versions'] : []),
  ];
  if (parts.length > 0) differences.change({ change: 'changed', path, parts });
  else differences.unchanged(1);
  one.loaded.report.release();
  for (const problem of one.ready.problems)
    if (isOfNewVersion(problem.key, one.versions)) run.report.add({ path: one.loaded.item.path, ...problem });
  if (one.base && one.base.type !== one.there.type) {
    const message = `It is of the type ${one.there.type} in the export; the type ${one.base.type} stays.`;
    run.report.add({ reason: 'value', path, key: '@type', message });
  }
}
