import type { Queryable, Transaction } from '../../database/database.ts';
import { BadRequest } from '../../lib/errors.ts';
import type { PositionChange } from '../journal/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import {
  neighbours,
  type Place,
  placesOf,
  renumberChildren,
  type SortRow,
  setPositions,
  sortRows,
} from './statements/child-order.ts';

/** A move of one child: to an end, or by a number of places; `subsetIds` are the siblings that the client shows. */
export type Ordering = { id: string; delta: 'top' | 'bottom' | number; subsetIds: string[] | undefined };

/** The children that the client shows, whose order must be that of the server (plone.restapi §2.3). */
async function loadSubset(tx: Queryable, parent: number, subset: string[]): Promise<Place[]> {
  const places = await placesOf(tx, parent, subset);
  const names = places.map(({ name }) => name);
  if (names.length !== subset.length || names.some((name, i) => name !== subset[i])) {
    throw new BadRequest('Client/server ordering mismatch. Load the container again.');
  }
  return places;
}

/** The two places between which `child` is moved: undefined on one side for an end of the list; null if the child stays. */
async function gapFor(
  tx: Queryable,
  parent: number,
  child: Place,
  delta: Ordering['delta'],
  subset: Place[] | undefined,
): Promise<[Place | undefined, Place | undefined] | null> {
  if (delta === 0) return null;
  const down = delta === 'bottom' || (typeof delta === 'number' && delta > 0);
  if (delta === 'top' || delta === 'bottom') {
    const [last] = await neighbours(
      tx,
      parent,
      { ...child, position: delta === 'top' ? -Infinity : Infinity },
      down ? 'before' : 'after',
      1,
    );
    if (!last || last.oid === child.oid) return null;
    return down ? [last, undefined] : [undefined, last];
  }
  let passed: Place | undefined;
  if (subset) {
    const at = subset.findIndex(({ oid }) => oid === child.oid);
    if (at === -1) throw new BadRequest('"subset_ids" must contain obj_id.');
    passed = subset[Math.min(Math.max(at + delta, 0), subset.length - 1)];
  } else {
    passed = (await neighbours(tx, parent, child, down ? 'after' : 'before', Math.min(Math.abs(delta), 100_000))).at(
      -1,
    );
  }
  if (!passed || passed.oid === child.oid) return null;
  const [beyond] = await neighbours(tx, parent, passed, down ? 'after' : 'before', 1);
  return down ? [passed, beyond] : [beyond, passed];
}

/** A position between two places; undefined when no floating point number is left between them. */
function between(before: Place | undefined, after: Place | undefined): number | undefined {
  if (!before && !after) return 1;
  if (!before) return (after?.position ?? 1) - 1;
  if (!after) return before.position + 1;
  const middle = (before.position + after.position) / 2;
  return middle > before.position && middle < after.position ? middle : undefined;
}

/**
 * Moves one child within its container; the caller holds the container. Only one row is written, unless the gap is used up: then all children are
 * numbered anew first. Returns the change of the position; undefined when all children were numbered anew. Throws BadRequest for an unknown child.
 */
export async function orderChild(
  tx: Queryable,
  parent: number,
  ordering: Ordering,
): Promise<PositionChange[] | undefined> {
  for (let renumbered = false; ; renumbered = true) {
    const [child] = await placesOf(tx, parent, [ordering.id]);
    if (!child) throw new BadRequest(`There is no child "${ordering.id}" here.`);
    const subset = ordering.subsetIds && (await loadSubset(tx, parent, ordering.subsetIds));
    const gap = await gapFor(tx, parent, child, ordering.delta, subset);
    if (!gap) return renumbered ? undefined : [];
    const position = between(...gap);
    if (position !== undefined) {
      await setPositions(tx, [{ oid: child.oid, position }]);
      return renumbered ? undefined : [{ oid: child.oid, before: child.position, after: position }];
    }
    await renumberChildren(tx, parent);
  }
}

const SORT_VALUES = {
  sortable_title: ({ title }) => title,
  Title: ({ title }) => title,
  id: ({ name }) => name,
  getId: ({ name }) => name,
  portal_type: ({ type }) => type,
  Type: ({ type }) => type,
  Creator: ({ owner }) => owner,
  review_state: ({ reviewState }) => reviewState ?? '',
  created: ({ created }) => created.getTime(),
  modified: ({ modified }) => modified.getTime(),
  effective: ({ effective }) => effective?.getTime() ?? 0,
  expires: ({ expires }) => expires?.getTime() ?? Number.MAX_SAFE_INTEGER,
  start: ({ start }) => start ?? '',
  end: ({ end }) => end ?? '',
  getObjPositionInParent: () => 0,
} satisfies Record<string, (row: SortRow) => string | number>;

type SortIndex = keyof typeof SORT_VALUES;

const isSortIndex = (name: string): name is SortIndex => Object.hasOwn(SORT_VALUES, name);

/** The indexes by which children can be sorted. */
export const SORT_INDEXES: SortIndex[] = Object.keys(SORT_VALUES).filter(isSortIndex);

/** An order of all children of a container. `reverse` means the same as `descending`. */
export type Sort = { on: SortIndex; order: 'ascending' | 'descending' | 'reverse' };

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts all children once; equal children keep their order. The caller holds the container. Returns the children with a new position. */
export async function sortChildren(tx: Queryable, parent: number, { on, order }: Sort): Promise<PositionChange[]> {
  const sortValue: (row: SortRow) => string | number = SORT_VALUES[on];
  const rows = (await sortRows(tx, parent)).map((row) => ({
    oid: row.oid,
    before: row.position,
    value: sortValue(row),
  }));
  const sign = order === 'ascending' ? 1 : -1;
  if (on === 'getObjPositionInParent' && sign === -1) rows.reverse();
  rows.sort(
    (a, b) =>
      sign *
      (typeof a.value === 'number' && typeof b.value === 'number'
        ? a.value - b.value
        : collator.compare(String(a.value), String(b.value))),
  );
  const moves = rows.flatMap(({ oid, before }, i) => (before === i + 1 ? [] : [{ oid, before, after: i + 1 }]));
  await setPositions(
    tx,
    moves.map(({ oid, after }) => ({ oid, position: after })),
  );
  return moves;
}

/** Gives children of a held container other positions, and emits the event. */
export async function reorderChildren(
  { events }: Pick<Kernel, 'events'>,
  tx: Transaction,
  { caller, parent, moves }: { caller: Caller; parent: number; moves: readonly PositionChange[] },
): Promise<void> {
  await setPositions(
    tx,
    moves.map(({ oid, after }) => ({ oid, position: after })),
  );
  await events.emit('content.reordered', { parent, moves }, { tx, caller });
}
