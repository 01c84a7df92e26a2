import type { ExportedItem, ExportedPart } from '@canopy-server/site-reader';
import type { PlannedObject } from '../planned-object.ts';
import { type PackedBase, writeBases } from '../statements/bases.ts';
import type { AgainRun } from './again-job.ts';
import type { Move } from './compare-places.ts';
import { packState } from './imported-state.ts';
import { containerKey, nameThere } from './record-bases.ts';
import { compareBatch, isAsBefore } from './update-content.ts';

/** Lets an object that was removed here be made anew, with the containers that it lies in. */
function bringBack(planned: PlannedObject): void {
  for (let at: PlannedObject | null = planned; at?.state === 'gone'; at = at.parent) at.state = 'create';
}

/**
 * Compares what was removed here with the newer export. What is as at the last import stays removed. What was changed there, or is new
 * below it, is a conflict: by the rule it stays away, or is made anew.
 */
export async function settleGone(run: AgainRun, batchSize: number, waiting: readonly Move[]): Promise<void> {
  const parts = await run.source.parts();
  let batch: { planned: PlannedObject; item: ExportedItem }[] = [];
  const isGone = (path: string) => run.plan.byPath.get(path)?.state === 'gone';
  const flush = async () => {
    await settleBatch(run, batch, parts);
    run.progress.tick(batch.length);
    batch = [];
  };
  const gone = new Set([...run.plan.byPath].flatMap(([path, { state }]) => (state === 'gone' ? [path] : [])));
  for await (const item of run.source.items(({ path }) => gone.has(path))) {
    const planned = run.plan.byPath.get(item.path);
    if (!planned) continue;
    batch.push({ planned, item });
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  if (run.again.rule !== 'take') return;
  for (const { to } of waiting) {
    const container = run.plan.byUid.get(to.parent);
    if (container && isGone(container.exported.path)) bringBack(container);
  }
}

async function settleBatch(
  run: AgainRun,
  batch: readonly { planned: PlannedObject; item: ExportedItem }[],
  parts: ReadonlySet<ExportedPart>,
): Promise<void> {
  if (batch.length === 0) return;
  const bases: PackedBase[] = [];
  for (const one of await compareBatch(run, batch, parts)) {
    const { planned } = one.loaded;
    const { exported, uid, path } = planned;
    const place = { parent: containerKey(planned.parent), name: nameThere(planned) };
    const isInPlace = one.packed?.parent === place.parent && one.packed.name === place.name;
    if (isAsBefore(one) && isInPlace) {
      run.again.differences.unchanged(1);
      continue;
    }
    const changed = isAsBefore(one) ? `moved to ${exported.path}` : 'changed';
    const there = one.base ? changed : 'new, in a container that was removed here';
    if (run.again.differences.conflict({ path, uid, part: 'object', here: 'removed', there }) === 'there') {
      bringBack(planned);
      continue;
    }
    bases.push({ uid: exported.uid, object: uid, ...place, state: packState(one.there, one.loaded.item) });
  }
  if (run.again.rule === 'keep' && bases.length > 0) await run.scope.write((tx) => writeBases(tx, run.key, bases));
}
