import { isDeepStrictEqual } from 'node:util';
import { locateForWrite, locks, MODIFY, requirePermission, tree } from '#core';
import { mergeOrder } from '#lib/merge/merge-order';
import type { EntryOf } from '../forms/plan.ts';
import { childrenOf } from '../statements/objects.ts';
import { type ApplyRun, addConflict, attempt, findHere, takes } from './apply-run.ts';

/** Children of a container whose order a plan can change. */
const MAX_ORDERED = 10_000;

/** The positions of children in a new order: those that they have, or from 1 where two have the same. */
function positionsFor(present: readonly { position: number }[]): number[] {
  const taken = present.map(({ position }) => position);
  return taken.every((position, at) => at === 0 || position > (taken[at - 1] ?? 0))
    ? taken
    : taken.map((_, at) => at + 1);
}

/** Brings the children of a container into the order of the plan. What was put elsewhere here stays there. */
export async function orderChildren(all: ApplyRun, entry: EntryOf<'ordered'>): Promise<void> {
  await attempt(all, entry, async (run, tx) => {
    const here = await findHere(run, entry.uid);
    if (!here) return;
    const { path, oid } = here.object;
    const { site, resolved } = await locateForWrite(run.kernel, path, tx, 'change');
    if (!resolved) return;
    requirePermission(site, run.caller, resolved, MODIFY);
    const present = await childrenOf(tx, oid, MAX_ORDERED + 1);
    if (present.length > MAX_ORDERED) {
      run.report.notes.push(`${path}: the order of more than ${MAX_ORDERED} objects stays as it is here.`);
      return;
    }
    const now = present.map(({ uid }) => uid);
    // Objects that the plan has just brought have no place of their own in this container.
    const theirs = now.filter((uid) => !run.placed.has(uid) || entry.from.includes(uid));
    const sides = { base: entry.from, mine: entry.to, theirs };
    const { value: order, conflicts } = mergeOrder(sides, new Set(now), takes(run) ? 'mine' : 'theirs');
    if (conflicts) {
      const message = 'The order was changed here and by the plan.';
      addConflict(run, { path, uid: entry.uid, part: 'order', message });
    }
    if (isDeepStrictEqual(order, now)) {
      run.report.same += 1;
      return;
    }
    const byUid = new Map(present.map((child) => [child.uid, child]));
    locks.requireUnlocked(resolved.object, undefined);
    const positions = positionsFor(present);
    const moves = order.flatMap((uid, at) => {
      const child = byUid.get(uid);
      const after = positions[at];
      return child && after !== undefined && after !== child.position
        ? [{ oid: child.oid, before: child.position, after }]
        : [];
    });
    await tree.reorder(run.kernel, tx, { caller: run.caller, parent: oid, moves });
    run.report.ordered.push(path);
  });
}
