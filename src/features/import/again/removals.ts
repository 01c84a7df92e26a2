import { contentPath, contentStates, findContents, locateForWrite, type Transaction, tree } from '#core';
import { presentPlaces, uidsBelow } from '../statements/again.ts';
import { loadBases, removeBases } from '../statements/bases.ts';
import { type AgainJob, OPERATOR } from './again-job.ts';
import { type Move, placeHere } from './compare-places.ts';
import { unpackState } from './imported-state.ts';
import { bringHome, moveRest } from './move-objects.ts';
import type { Tracked, TrackedObjects } from './tracked.ts';

/** Objects whose states are in memory at once. */
const BATCH_SIZE = 200;

/** Paths below an object that are read at once. */
const PAGE_SIZE = 5000;

/**
 * Returns the objects that the newer export does not have any more. An export of a part of a site says nothing about the rest: an object
 * counts as removed where its former container is in the export, or was removed with it.
 */
export function removedThere({ byUid }: TrackedObjects, hasTopLevel: boolean): Tracked[] {
  const known = new Map<string, boolean>([['', hasTopLevel]]);
  const covers = (uid: string): boolean => {
    const way: string[] = [];
    let at = uid;
    while (!known.has(at) && !way.includes(at)) {
      way.push(at);
      const container = byUid.get(at);
      if (!container) known.set(at, false);
      else if (container.there) known.set(at, container.there.implied !== true);
      else at = container.entry.parent;
    }
    const covered = known.get(at) ?? false;
    for (const step of way) known.set(step, known.get(step) ?? covered);
    return covered;
  };
  return [...byUid.values()].filter(({ entry, there }) => !there && covers(entry.parent));
}

/** Says which of the objects are as the last import left them. */
async function unchangedHere(
  job: AgainJob,
  objects: TrackedObjects,
  removed: readonly Tracked[],
): Promise<Set<Tracked>> {
  const unchanged = new Set<Tracked>();
  for (let at = 0; at < removed.length; at += BATCH_SIZE) {
    const batch = removed.slice(at, at + BATCH_SIZE).filter(({ here }) => here);
    const uids = batch.map(({ entry }) => entry.uid);
    const bases = new Map((await loadBases(job.scope.db, job.key, uids)).map((base) => [base.uid, base]));
    const found = await findContents(job.scope.db, { uids: batch.map(({ entry }) => entry.object) });
    const present = new Map(found.map(({ object }) => [object.uid, object]));
    for (const tracked of batch) {
      const { entry } = tracked;
      const [base, object, here] = [bases.get(entry.uid), present.get(entry.object), placeHere(tracked, objects)];
      const stays = here?.parent === entry.parent && here.name === entry.name;
      if (base && object && stays && contentStates.areSame(unpackState(base.state), contentStates.of(object)))
        unchanged.add(tracked);
    }
  }
  return unchanged;
}

/** The objects that go, and what keeps others: content of this site below them. */
type Removable = { going: Map<string, Tracked>; blocked: Map<Tracked, string> };

/** Finds out which of the objects have something below them that stays. */
async function withoutHolders(job: AgainJob, removable: ReadonlySet<Tracked>): Promise<Removable> {
  const going = new Map([...removable].map((tracked) => [tracked.entry.object, tracked]));
  const byPath = new Map([...removable].map((tracked) => [tracked.here?.path ?? '', tracked]));
  const blocked = new Map<Tracked, string>();
  for (const { here } of removable) {
    // What is in a container that goes as well is looked at with that.
    if (!here || byPath.has(contentPath.parent(here.path) ?? '')) continue;
    for (let after = 0; ; ) {
      const page = await uidsBelow(job.scope.db, here.path, { after, limit: PAGE_SIZE });
      for (const { uid, path } of page) {
        if (going.has(uid)) continue;
        for (const holder of contentPath.to(path)) {
          const tracked = byPath.get(holder);
          if (tracked && !blocked.has(tracked)) blocked.set(tracked, path);
        }
      }
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)?.oid ?? 0;
    }
  }
  for (const tracked of blocked.keys()) going.delete(tracked.entry.object);
  return { going, blocked };
}

/** Deletes an object with what is below it, as an editor would: the site may keep it in its recycle bin. */
async function removeOne(
  tx: Transaction,
  job: AgainJob,
  uid: string,
  bases: readonly string[],
): Promise<string | undefined> {
  const [place] = await presentPlaces(tx, [uid]);
  await removeBases(tx, job.key, bases);
  if (!place) return undefined;
  const { site, resolved } = await locateForWrite(job.again.kernel, place.path, tx, 'change');
  if (resolved?.object.uid !== uid) return undefined;
  const { object } = resolved;
  await tree.removeHeld(job.again.kernel, tx, { caller: OPERATOR, site, object, recyclable: true });
  return place.path;
}

/** Deletes objects, each with what is below it; one transaction for each of the outermost. */
async function removeGoing(job: AgainJob, going: ReadonlyMap<string, Tracked>): Promise<void> {
  const byPath = new Map([...going.values()].map((tracked) => [tracked.here?.path ?? '', tracked]));
  const outermost = new Map<Tracked, string[]>();
  for (const [path, tracked] of byPath) {
    const top = contentPath.to(path).find((step) => byPath.has(step)) ?? path;
    const holder = byPath.get(top) ?? tracked;
    outermost.set(holder, [...(outermost.get(holder) ?? []), tracked.entry.uid]);
  }
  for (const [{ entry }, bases] of outermost) {
    const path = await job.scope.write((tx) => removeOne(tx, job, entry.object, bases));
    if (path !== undefined) job.again.differences.change({ change: 'removed', path, parts: [] });
  }
}

/** Moves what the newer export has out of what goes, to where it is there: it was moved here into something that the old site removed. */
async function moveOut(job: AgainJob, objects: TrackedObjects, going: ReadonlyMap<string, Tracked>): Promise<void> {
  const moves: Move[] = [];
  for (const { here } of going.values()) {
    for (let after = 0; here; ) {
      const page = await uidsBelow(job.scope.db, here.path, { after, limit: PAGE_SIZE });
      for (const { uid } of page) {
        const tracked = objects.byUid.get(objects.exportedUids.get(uid) ?? '');
        const there = tracked?.there;
        if (tracked && there && !there.implied) moves.push({ tracked, there, to: there });
      }
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)?.oid ?? 0;
    }
  }
  await moveRest(job, objects, [...new Map(moves.map((move) => [move.tracked, move])).values()]);
}

/** Brings the places of objects up to date: others may have moved with their containers. */
async function refreshed(job: AgainJob, removed: readonly Tracked[]): Promise<Tracked[]> {
  const present: Tracked[] = [];
  for (let at = 0; at < removed.length; at += PAGE_SIZE) {
    const page = removed.slice(at, at + PAGE_SIZE);
    const places = new Map(
      (
        await presentPlaces(
          job.scope.db,
          page.map(({ entry }) => entry.object),
        )
      ).map((place) => [place.uid, place]),
    );
    for (const tracked of page) {
      const here = places.get(tracked.entry.object);
      if (here) present.push({ ...tracked, here });
    }
  }
  return present;
}

/** Removes what the newer export does not have, nobody has changed here, and holds nothing that stays. */
export async function removeUnchanged(
  job: AgainJob,
  objects: TrackedObjects,
  removed: readonly Tracked[],
): Promise<void> {
  const present = await refreshed(job, removed);
  const { going } = await withoutHolders(job, await unchangedHere(job, objects, present));
  await removeGoing(job, going);
}

/**
 * Removes the rest of what the newer export does not have: what was changed here, or holds content of this site, is a conflict. What
 * stays by the rule belongs to the site from now on.
 */
export async function settleRemovals(
  job: AgainJob,
  objects: TrackedObjects,
  removed: readonly Tracked[],
): Promise<void> {
  const { differences, rule } = job.again;
  const present = await refreshed(job, removed);
  const unchanged = await unchangedHere(job, objects, present);
  const { going, blocked } = await withoutHolders(job, rule === 'take' ? new Set(present) : unchanged);
  const uids = new Set(present.map(({ entry }) => entry.uid));
  const released = removed.filter(({ entry }) => !uids.has(entry.uid)).map(({ entry }) => entry.uid);
  for (const tracked of present) {
    const holds = blocked.get(tracked);
    if (unchanged.has(tracked) && holds === undefined) continue;
    const { object, uid } = tracked.entry;
    const here = unchanged.has(tracked) ? `holds ${holds ?? ''}, which stays` : 'changed';
    const conflict = { path: tracked.here?.path ?? '', uid: object, part: 'object', here, there: 'removed' };
    if (differences.conflict(conflict) === 'there') going.set(object, tracked);
    else if (rule === 'keep') released.push(uid);
  }
  if (rule === 'take') await moveOut(job, objects, going);
  await removeGoing(job, going);
  for (const tracked of present) if (!going.has(tracked.entry.object)) await bringHome(job, objects, tracked);
  if (released.length > 0) await job.scope.write((tx) => removeBases(tx, job.key, released));
}
