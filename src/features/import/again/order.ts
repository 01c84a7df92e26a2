import { locateForWrite, type Transaction, tree } from '#core';
import { mergeOrder } from '#lib/merge/merge-order';
import type { ImportRun } from '../import-run.ts';
import type { PlannedObject } from '../planned-object.ts';
import { orderOf } from '../statements/again.ts';
import { loadBases, type PackedBase, writeBases } from '../statements/bases.ts';
import { type AgainRun, OPERATOR } from './again-job.ts';
import { pack, unpack } from './imported-state.ts';
import { containerKey } from './record-bases.ts';

/** Containers whose orders are read at once. */
const CHUNK_SIZE = 100;

const keyOf = (container: PlannedObject): string => `#order:${containerKey(container)}`;

/** The objects of a container in the order of the export. */
type Ordered = { container: PlannedObject; children: PlannedObject[] };

/** Returns the containers of an export that has positions, with what is in them in its order. */
async function ordersThere({ source, plan }: ImportRun): Promise<Ordered[]> {
  if (!(await source.parts()).has('positions')) return [];
  const positionOf = await source.positions();
  const children = new Map<PlannedObject, { planned: PlannedObject; position: number }[]>();
  for (const planned of plan.byUid.values()) {
    if (!planned.parent) continue;
    const list = children.get(planned.parent) ?? [];
    list.push({ planned, position: positionOf(planned.exported) ?? planned.ordinal });
    children.set(planned.parent, list);
  }
  return [...children].map(([container, list]) => ({
    container,
    children: list
      .sort((a, b) => a.position - b.position || a.planned.ordinal - b.planned.ordinal)
      .map(({ planned }) => planned),
  }));
}

const baseOf = ({ container, children }: Ordered): PackedBase => ({
  ...{ uid: keyOf(container), object: '', parent: '', name: '' },
  state: pack(children.map(({ exported }) => exported.uid)),
});

/** Records the orders of an export, for imports of newer ones. */
export async function recordOrders(run: ImportRun): Promise<void> {
  const orders = await ordersThere(run);
  for (let at = 0; at < orders.length; at += CHUNK_SIZE) {
    const bases = orders.slice(at, at + CHUNK_SIZE).map(baseOf);
    await run.scope.write((tx) => writeBases(tx, run.key, bases));
  }
}

/** Merges the orders of containers: what moved there moves here, and what moved here stays. */
export async function importOrders(run: AgainRun): Promise<void> {
  const orders = await ordersThere(run);
  for (let at = 0; at < orders.length; at += CHUNK_SIZE) {
    const chunk = orders.slice(at, at + CHUNK_SIZE);
    const keys = chunk.map(({ container }) => keyOf(container));
    const bases = new Map((await loadBases(run.scope.db, run.key, keys)).map(({ uid, state }) => [uid, state]));
    for (const ordered of chunk) {
      const base = baseOf(ordered);
      const former = bases.get(base.uid);
      if (former === base.state) continue;
      await mergeContainer(run, ordered, { base, former });
    }
  }
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((text) => (typeof text === 'string' ? [text] : [])) : [];

/** Merges the order of one container, and records that of the export. */
async function mergeContainer(
  run: AgainRun,
  ordered: Ordered,
  { base, former }: { base: PackedBase; former: string | undefined },
): Promise<void> {
  const { differences, rule } = run.again;
  const uidHere = (uid: string) => run.plan.byUid.get(uid)?.uid ?? uid;
  const mine = ordered.children.map(({ uid }) => uid);
  const before = former === undefined ? mine : textsIn(unpack(former)).map(uidHere);
  const done = await run.scope.write(async (tx) => {
    const result = await reorder(tx, run, ordered.container, { mine, before });
    if (!(result.conflicts && rule === 'stop')) await writeBases(tx, run.key, [base]);
    return result;
  });
  const { path, uid } = ordered.container;
  if (done.conflicts) differences.conflict({ path, uid, part: 'order', here: done.here, there: done.there });
  if (done.isChanged) differences.change({ change: 'reordered', path, parts: [] });
}

type Reordered = { isChanged: boolean; conflicts: boolean; here: string[]; there: string[] };

async function reorder(
  tx: Transaction,
  run: AgainRun,
  container: PlannedObject,
  { mine, before }: { mine: readonly string[]; before: readonly string[] },
): Promise<Reordered> {
  const { kernel, rule } = run.again;
  const nothing = { isChanged: false, conflicts: false, here: [], there: [] };
  const { resolved } = await locateForWrite(kernel, container.path, tx, 'change');
  if (!resolved) return nothing;
  const parent = resolved.object.oid;
  const present = await orderOf(tx, parent);
  const members = new Set(present.map(({ uid }) => uid));
  const known = new Set(before);
  const there = new Set(mine);
  // What this import has brought has no place of this site.
  const theirs = present.flatMap(({ uid }) => (known.has(uid) || !there.has(uid) ? [uid] : []));
  const sides = { base: before, mine, theirs };
  const { value, conflicts } = mergeOrder(sides, members, rule === 'take' ? 'mine' : 'theirs');
  const isSame = present.every(({ uid }, index) => value[index] === uid);
  if (isSame || (conflicts && rule === 'stop'))
    return { ...nothing, conflicts, here: theirs, there: mine.filter((uid) => members.has(uid)) };
  const byUid = new Map(present.map((child) => [child.uid, child]));
  const moves = value.flatMap((uid, index) => {
    const child = byUid.get(uid);
    return child && child.position !== index + 1 ? [{ oid: child.oid, before: child.position, after: index + 1 }] : [];
  });
  await tree.reorder(kernel, tx, { caller: OPERATOR, parent, moves });
  return { isChanged: true, conflicts, here: theirs, there: mine.filter((uid) => members.has(uid)) };
}
