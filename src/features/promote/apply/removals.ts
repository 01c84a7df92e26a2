import { DELETE, findContents, type ResolvedNode, requirePermission, tree } from '#core';
import { digestOf, formOf } from '../forms/object-form.ts';
import type { EntryOf } from '../forms/plan.ts';
import { uidsBelow } from '../statements/objects.ts';
import { type ApplyRun, addConflict, attempt, findHere, leaves, takes } from './apply-run.ts';

type Removed = EntryOf<'removed'>;

/** Objects below one that is to go, of which so many are in memory at once. */
const BATCH = 100;

/** UIDs of what lies below a path, a batch at a time. */
async function* batchesBelow({ kernel }: ApplyRun, path: string): AsyncGenerator<string[]> {
  for (let after = ''; ; ) {
    const uids = await uidsBelow(kernel.db, { path, after, limit: BATCH });
    if (uids.length > 0) yield uids;
    const last = uids.at(-1);
    if (last === undefined || uids.length < BATCH) return;
    after = last;
  }
}

/** Says if an object has content in it that the plan neither removes nor moves. */
async function hasOthers(run: ApplyRun, path: string, known: ReadonlyMap<string, Removed>): Promise<boolean> {
  for await (const uids of batchesBelow(run, path))
    if (uids.some((uid) => !known.has(uid) && !leaves(run, uid))) return true;
  return false;
}

/** Says if an object, or content in it, is not as the plan takes for granted. */
async function isChanged(run: ApplyRun, here: ResolvedNode, known: ReadonlyMap<string, Removed>): Promise<boolean> {
  const { kernel, site, caller } = run;
  const differs = (one: ResolvedNode) => {
    const entry = known.get(one.object.uid);
    return entry !== undefined && digestOf(formOf(kernel, { site, caller }, one)) !== entry.digest;
  };
  if (differs(here)) return true;
  for await (const uids of batchesBelow(run, here.object.path))
    if ((await findContents(kernel.db, { uids })).some(differs)) return true;
  return false;
}

/** Reports an object that is not to go: it was changed here, or has content of this site in it. Returns false for one that may go. */
export async function isContested(
  run: ApplyRun,
  { entry, here, known }: { entry: Removed; here: ResolvedNode; known: ReadonlyMap<string, Removed> },
): Promise<boolean> {
  requirePermission(run.site, run.caller, here, DELETE);
  const { path } = here.object;
  const report = (message: string): true => {
    addConflict(run, { path, uid: entry.uid, part: 'removal', message });
    return true;
  };
  if (await hasOthers(run, path, known)) return report('It has content in it that the plan does not remove.');
  if (await isChanged(run, here, known))
    return report('The plan removes it, and it or content in it was changed here.');
  return false;
}

/** Removes objects, each with all that is below it, unless they stay. */
export async function removeObjects(all: ApplyRun, entries: readonly Removed[]): Promise<void> {
  const known = new Map(entries.map((entry) => [entry.uid, entry]));
  const byDepth = [...entries].sort((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  for (const entry of byDepth) {
    if (!all.present.has(entry.uid)) all.report.same += 1;
    if (!all.present.has(entry.uid) || all.staying.has(entry.uid)) continue;
    await attempt(all, entry, async (run) => {
      const here = await findHere(run, entry.uid);
      // It went with its container.
      if (!here) return;
      const { path } = here.object;
      const former = run.aside.get(entry.uid) ?? path;
      if (!takes(run) && (await hasOthers(run, path, known))) {
        const message = 'It has content in it that the plan could not move.';
        addConflict(run, { path: former, uid: entry.uid, part: 'removal', message });
        return;
      }
      await tree.remove(run.kernel, { caller: run.caller, path, lockToken: undefined });
      run.aside.delete(entry.uid);
      run.report.removed.push(former);
    });
  }
}
