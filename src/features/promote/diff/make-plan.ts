import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '#core';
import type { ObjectForm } from '../forms/object-form.ts';
import type { PlanEntry, PlanPiece } from '../forms/plan.ts';
import type { Scope } from '../forms/scope.ts';
import type { Place } from '../places/place.ts';
import { changeBetween, creationOf, lieElsewhere, removalOf } from './compare-objects.ts';
import { compareSetup, missingPieces } from './compare-setup.ts';
import { addMissing, childrenByParent, type IndexedObject, indexObjects, type ObjectIndex } from './index-objects.ts';

/** Objects that are loaded at once to be compared. */
const BATCH = 25;

/** Two places of which `a` is to become as `b`. `base` has the state that both began with, unless it is `a`. */
export type Comparison = {
  a: Place;
  b: Place;
  base: Place | undefined;
  scope: Scope;
  /** Kinds of pieces of the set-up; undefined for all. False compares no set-up. */
  setup: ReadonlySet<string> | undefined | false;
};

const differ = (one: IndexedObject, other: IndexedObject): boolean =>
  one.digest !== other.digest ||
  (one.rights !== undefined && other.rights !== undefined && one.rights !== other.rights) ||
  lieElsewhere(one, other);

const byPath = (a: IndexedObject, b: IndexedObject): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : a.uid < b.uid ? -1 : 1;

/** Loads objects in batches, in their order. */
async function* loaded(place: Place, objects: readonly IndexedObject[]): AsyncGenerator<Map<string, ObjectForm>> {
  for (let at = 0; at < objects.length; at += BATCH) {
    const forms = await place.load(objects.slice(at, at + BATCH).map(({ uid }) => uid));
    yield new Map(forms.map((form) => [form.uid, form]));
  }
}

/** The entries for objects that are new, or other. */
async function* contentEntries(
  from: Place,
  to: Place,
  { before, wanted }: { before: ObjectIndex; wanted: readonly IndexedObject[] },
): AsyncGenerator<PlanEntry> {
  const known = wanted.filter(({ uid }) => before.has(uid));
  const [old, next] = [loaded(from, known), loaded(to, wanted)];
  const olds = new Map<string, ObjectForm>();
  let at = 0;
  for await (const forms of next) {
    for (const { uid } of wanted.slice(at, at + BATCH)) {
      while (before.has(uid) && !olds.has(uid)) {
        const more = await old.next();
        if (more.done) break;
        for (const [id, form] of more.value) olds.set(id, form);
      }
      const form = forms.get(uid);
      const was = olds.get(uid);
      olds.delete(uid);
      if (!form) continue;
      const entry = was ? changeBetween(was, form) : creationOf(form);
      if (entry) yield entry;
    }
    at += BATCH;
  }
}

/** The containers whose children both sides have in different orders, or that get new ones before others. */
function* orderEntries(before: ObjectIndex, after: ObjectIndex): Generator<PlanEntry> {
  const [was, is] = [childrenByParent(before), childrenByParent(after)];
  for (const uid of [...is.keys()].sort()) {
    const container = after.get(uid);
    const [from, to] = [was.get(uid) ?? [], is.get(uid) ?? []];
    if (!container || to.length < 2) continue;
    const [past, next] = [new Set(from), new Set(to)];
    const kept = from.filter((one) => next.has(one));
    // Without an entry new ones come behind the others, in the order in which they are made.
    const made = to.filter((one) => !past.has(one)).sort((a, b) => (pathOf(after, a) < pathOf(after, b) ? -1 : 1));
    if (isDeepStrictEqual(to, [...kept, ...made])) continue;
    yield { change: 'ordered', uid, path: container.path, from, to };
  }
}

const pathOf = (index: ObjectIndex, uid: string): string => index.get(uid)?.path ?? '';

/** Leaves out what `a` has already as `b`, where both are compared with something older. */
const isThere = (there: ObjectIndex | undefined, wanted: IndexedObject): boolean => {
  const present = there?.get(wanted.uid);
  return present !== undefined && !differ(present, wanted);
};

/** Says if `a` has the children of a container in the wanted order, where both are compared with something older. */
function isOrdered(there: ReadonlyMap<string, string[]> | undefined, entry: PlanEntry): boolean {
  if (entry.change !== 'ordered') return false;
  const wanted = new Set(entry.to);
  const present = there?.get(entry.uid)?.filter((uid) => wanted.has(uid));
  return isDeepStrictEqual(present, entry.to);
}

/** The pieces of the set-up that differ, without those that `a` has as wanted already. */
async function setupPieces({ a, b, base = a, setup }: Comparison): Promise<{ pieces: PlanPiece[]; notes: string[] }> {
  if (setup === false) return { pieces: [], notes: [] };
  const [one, other] = [await base.setup(), await b.setup()];
  const pieces = compareSetup(one, other, setup);
  return { pieces: base === a ? pieces : missingPieces(await a.setup(), pieces), notes: [...other.notes] };
}

/**
 * The changes that make `a` as `b`: of the set-up at once, those of content one by one, in an order that depends on nothing else. Throws
 * ConfigError for a path at which neither has content; where the set-up is compared as well, a note says so.
 */
export async function makePlan(comparison: Comparison): Promise<{
  setup: PlanPiece[];
  notes: string[];
  entries: AsyncGenerator<PlanEntry>;
}> {
  const { a, b, base = a, scope } = comparison;
  const { pieces, notes } = await setupPieces(comparison);
  const before = await indexObjects(base, scope);
  const after = await indexObjects(b, scope);
  if (scope.path !== '/' && before.size + after.size === 0) {
    const empty = `Neither of both has content at ${scope.path} that is compared.`;
    if (comparison.setup === false) throw new ConfigError(empty);
    notes.push(empty);
  }
  const entries = async function* (): AsyncGenerator<PlanEntry> {
    const [inBase, inB] = [new Map(before), new Map(after)];
    await addMissing(base, before, inB);
    await addMissing(b, after, inBase);
    const present = base === a ? undefined : await indexObjects(a, scope);
    const wanted = [...after.values()]
      .filter((object) => {
        const was = before.get(object.uid);
        return (was === undefined || differ(was, object)) && !isThere(present, object);
      })
      .sort(byPath);
    yield* contentEntries(base, b, { before, wanted });
    for (const object of [...before.values()].filter(({ uid }) => !after.has(uid)).sort(byPath))
      if (!present || present.has(object.uid)) yield removalOf(object);
    const ordered = present && childrenByParent(present);
    for (const entry of orderEntries(before, after)) if (!isOrdered(ordered, entry)) yield entry;
  };
  return { setup: pieces, notes, entries: entries() };
}
