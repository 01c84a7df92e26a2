import { ADD, contentPath, DELETE, findContent, MODIFY, type ResolvedNode, requirePermission } from '#core';
import type { Outline } from '../forms/plan-entries.ts';
import { type ApplyRun, addConflict, attempt, findHere, leaves, ofKind, takes } from './apply-run.ts';
import { containerOf, liesAt, type Placing, places, targetOf } from './places.ts';
import { isContested } from './removals.ts';

/** An entry that is to bring an object to a place. `isHere` says if the site has the object, somewhere else. */
type Wish = { entry: Placing; isHere: boolean };

/** Throws Unauthorized or Forbidden without the right to bring an object into a container, before anything of the container is said. */
function requireRights(
  { site, caller }: ApplyRun,
  { entry, here }: { entry: Placing; here: ResolvedNode | undefined },
  container: ResolvedNode,
): void {
  const type = site.types.get(here?.object.type ?? entry.type);
  const isRename = here !== undefined && here.object.parent === container.object.oid;
  if (isRename) requirePermission(site, caller, here, MODIFY);
  else requirePermission(site, caller, container, type?.add_permission ?? ADD);
  if (here && !isRename) requirePermission(site, caller, here, DELETE);
}

/** The entry as a wish; undefined for one that the site fulfils already, or contradicts. */
async function wishOf(run: ApplyRun, entry: Placing): Promise<Wish | undefined> {
  const here = await findHere(run, entry.uid);
  if (entry.change === 'created') return here ? undefined : { entry, isHere: false };
  if (!here || (await liesAt(run, here, entry.place.to))) return undefined;
  if (await liesAt(run, here, entry.place.from)) return { entry, isHere: true };
  requirePermission(run.site, run.caller, here, MODIFY);
  const message = 'It was moved here, and elsewhere by the plan.';
  addConflict(run, { path: here.object.path, uid: entry.uid, part: 'place', message });
  if (takes(run)) return { entry, isHere: true };
  run.staying.add(entry.uid);
  return undefined;
}

/** Says if an entry finds its container and a name in it. Reports a conflict where it does not. */
async function hasRoom(run: ApplyRun, { entry, isHere }: Wish, made: ReadonlySet<string>): Promise<boolean> {
  const { parent, name } = targetOf(entry);
  const container = await containerOf(run, entry);
  if (!container) {
    if (made.has(parent) && !run.staying.has(parent)) return true;
    const message = 'The container that it belongs into is not here.';
    addConflict(run, { path: entry.path, uid: entry.uid, part: 'container', message });
    return false;
  }
  requireRights(run, { entry, here: isHere ? await findHere(run, entry.uid) : undefined }, container);
  const occupant = await findContent(run.kernel, contentPath.child(container.object.path, name));
  if (!occupant || occupant.object.uid === entry.uid || leaves(run, occupant.object.uid)) return true;
  // A plan that counts gives it another name.
  if (takes(run)) return true;
  const message = 'Other content has its address here.';
  addConflict(run, { path: entry.path, uid: entry.uid, part: 'name', message });
  return false;
}

/**
 * Decides which objects come to another place or go, before one of them does: where one stays, what would take its address stays as well. All
 * conflicts of places are reported here. `run.staying` has the UIDs of entries that are not done.
 */
export async function decidePlaces(run: ApplyRun, entries: readonly Outline[]): Promise<void> {
  const wishes: Wish[] = [];
  const decide = async (entry: Outline, work: (part: ApplyRun) => Promise<boolean>) => {
    let isGoing = false;
    await attempt(run, entry, async (part) => {
      isGoing = await work(part);
    });
    if (!isGoing) run.staying.add(entry.uid);
    return isGoing;
  };
  for (const entry of entries.filter(places))
    await attempt(run, entry, async (part) => {
      const wish = await wishOf(part, entry);
      if (wish) wishes.push(wish);
    });
  for (const { entry, isHere } of wishes) if (isHere) run.leaving.add(entry.uid);
  const removed = ofKind(entries, 'removed');
  const known = new Map(removed.map((entry) => [entry.uid, entry]));
  for (const entry of removed) {
    const here = await findHere(run, entry.uid);
    if (!here) continue;
    run.present.add(entry.uid);
    run.leaving.add(entry.uid);
    await decide(entry, async (part) => !(await isContested(part, { entry, here, known })) || takes(run));
  }
  const made = new Set(wishes.flatMap(({ entry, isHere }) => (isHere ? [] : [entry.uid])));
  for (let left = wishes, before = -1; left.length !== before; ) {
    before = left.length;
    const next: Wish[] = [];
    for (const wish of left) if (await decide(wish.entry, (part) => hasRoom(part, wish, made))) next.push(wish);
    left = next;
  }
}
