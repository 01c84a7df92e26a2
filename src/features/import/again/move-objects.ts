import { contentPath, locateAllForWrite, redirectRows, type Transaction, tree } from '#core';
import { ClientError } from '#lib/errors';
import { childNamed, nextPosition, presentPlaces } from '../statements/again.ts';
import { writePlace } from '../statements/bases.ts';
import { type AgainJob, OPERATOR } from './again-job.ts';
import { type Move, parkedName, placeHere } from './compare-places.ts';
import type { Tracked, TrackedObjects } from './tracked.ts';

/** The result of an attempt to move an object. */
type Attempt =
  | { result: 'moved'; from: string; to: string; isRenamed: boolean }
  | { result: 'waits' }
  | { result: 'gone' }
  | { result: 'inside'; path: string }
  | { result: 'occupied'; by: string };

type AttemptOptions = {
  /** Takes a free id where another object has the wanted one. */
  anyName?: boolean;
};

/** The UID on this site of a container that is named as in the export. */
function containerUid(parent: string, { byUid, root }: TrackedObjects): string {
  if (parent === '') return root.uid;
  return parent.startsWith('@') ? parent.slice(1) : (byUid.get(parent)?.entry.object ?? parent);
}

/** Moves one object, with its new place in the export; one transaction. */
async function attempt(
  tx: Transaction,
  job: AgainJob,
  { move, container, anyName }: { move: Move; container: string } & AttemptOptions,
): Promise<Attempt> {
  const { entry } = move.tracked;
  const places = new Map((await presentPlaces(tx, [entry.object, container])).map((place) => [place.uid, place]));
  const source = places.get(entry.object);
  const target = places.get(container);
  if (!source) return { result: 'gone' };
  if (!target) return { result: 'waits' };
  if (contentPath.isAtOrBelow(target.path, source.path)) return { result: 'inside', path: source.path };
  const [into, moved] = await locateAllForWrite(job.again.kernel, tx, [
    { path: target.path, lockMode: 'add-inside' },
    { path: source.path, lockMode: 'change' },
  ]);
  // Somebody else has moved one of them at this moment.
  if (into?.resolved?.object.uid !== target.uid || moved?.resolved?.object.uid !== source.uid)
    return { result: 'waits' };
  const there = { uid: entry.uid, parent: move.there.parent, name: move.there.name };
  const occupant = await childNamed(tx, target.oid, move.to.name);
  if (occupant?.uid === source.uid) {
    await writePlace(tx, job.key, there);
    return { result: 'moved', from: source.path, to: source.path, isRenamed: false };
  }
  if (occupant && !anyName) return { result: 'occupied', by: occupant.uid };
  const name = occupant ? await tree.freeName(tx, target.oid, move.to.name) : move.to.name;
  const position = await nextPosition(tx, target.oid);
  const { site, resolved } = into;
  await tree.place(job.again.kernel, tx, {
    ...{ caller: OPERATOR, site, container: resolved, source: moved.resolved, name, position },
  });
  if (source.name === parkedName(entry.uid)) await redirectRows.forgetRedirectsBelow(tx, source.path);
  await writePlace(tx, job.key, there);
  const to = contentPath.child(target.path, name);
  return { result: 'moved', from: source.path, to, isRenamed: occupant !== undefined };
}

/** Gives an object another id for some moments, so that others can take its own. */
async function park(job: AgainJob, { entry, here }: Tracked): Promise<void> {
  await job.scope.write(async (tx) => {
    const [source] = await presentPlaces(tx, [entry.object]);
    const parent = source && contentPath.parent(source.path);
    if (!source || parent === undefined || source.name === parkedName(entry.uid)) return;
    const [into, moved] = await locateAllForWrite(job.again.kernel, tx, [
      { path: parent, lockMode: 'add-inside' },
      { path: source.path, lockMode: 'change' },
    ]);
    if (!into?.resolved || moved?.resolved?.object.uid !== source.uid) return;
    await tree.place(job.again.kernel, tx, {
      ...{ caller: OPERATOR, site: into.site, container: into.resolved, source: moved.resolved },
      ...{ name: parkedName(entry.uid), position: 0 },
    });
  });
  if (here) here.name = parkedName(entry.uid);
}

/** Does a move, and reports what comes of it. Returns false if the move has to wait, with the UID of what is in its way. */
async function moveOne(
  job: AgainJob,
  objects: TrackedObjects,
  move: Move,
  options: AttemptOptions,
): Promise<{ isDone: boolean; by?: string }> {
  const { entry, here } = move.tracked;
  const path = here?.path ?? move.there.path;
  const container = containerUid(move.to.parent, objects);
  let done: Attempt;
  try {
    done = await job.scope.write((tx) => attempt(tx, job, { move, container, ...options }));
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const message = `It stays at ${path}, for it could not be moved to ${move.there.path}: ${error.message}`;
    job.report.add({ reason: 'object', path: move.there.path, message });
    return { isDone: true };
  }
  if (done.result === 'waits') return { isDone: false };
  if (done.result === 'occupied') return { isDone: false, by: done.by };
  if (done.result === 'inside') {
    const conflict = { path: done.path, uid: entry.object, part: 'place', here: done.path, there: move.there.path };
    job.again.differences.conflict(conflict);
    if (job.again.rule !== 'stop')
      await job.scope.write((tx) => writePlace(tx, job.key, { uid: entry.uid, ...move.there }));
    return { isDone: true };
  }
  if (done.result === 'gone' || [done.from, path].includes(done.to)) return { isDone: true };
  if (done.isRenamed)
    job.report.add({
      reason: 'renamed',
      path: move.there.path,
      key: 'id',
      message: `Another object has its id here; it becomes ${done.to}.`,
    });
  job.again.differences.change({ change: 'moved', path: done.to, parts: [], from: path });
  return { isDone: true };
}

/**
 * Moves objects to where the newer export has them, as far as their containers are there and nothing is in the way; objects that are in
 * each other's way make room for some moments. Returns the moves that are left.
 */
export async function moveObjects(job: AgainJob, objects: TrackedObjects, moves: readonly Move[]): Promise<Move[]> {
  let left = [...moves];
  for (;;) {
    const waiting: Move[] = [];
    const inTheWay = new Set<string>();
    for (const move of left) {
      const { isDone, by } = await moveOne(job, objects, move, {});
      if (!isDone) waiting.push(move);
      if (by !== undefined) inTheWay.add(by);
    }
    const isStuck = waiting.length === left.length;
    left = waiting;
    if (left.length === 0) return left;
    if (!isStuck) continue;
    const parked = left.find(
      ({ tracked: { entry, here } }) => inTheWay.has(entry.object) && here?.name !== parkedName(entry.uid),
    );
    if (!parked) return left;
    await park(job, parked.tracked);
  }
}

/** Lets objects that move or go later make room for new ones with their paths. */
export async function makeRoom(job: AgainJob, objects: readonly Tracked[], wanted: ReadonlySet<string>): Promise<void> {
  for (const tracked of objects) if (wanted.has(tracked.here?.path ?? '')) await park(job, tracked);
}

/** Gives an object that made room and stays its id again, or one that is free. */
export async function bringHome(job: AgainJob, objects: TrackedObjects, tracked: Tracked): Promise<void> {
  const { entry, here } = tracked;
  const to = placeHere(tracked, objects);
  if (here?.name !== parkedName(entry.uid) || !to) return;
  const there = { parent: entry.parent, name: entry.name, path: here.path };
  await moveOne(job, objects, { tracked, there, to }, { anyName: true });
}

/** Moves what is left, under a free id where another object has the wanted one. Reports what has no container here. */
export async function moveRest(job: AgainJob, objects: TrackedObjects, moves: readonly Move[]): Promise<void> {
  for (const move of await moveObjects(job, objects, moves)) {
    const { isDone } = await moveOne(job, objects, move, { anyName: true });
    if (isDone) continue;
    await bringHome(job, objects, move.tracked);
    const { entry, here } = move.tracked;
    const path = here?.path ?? '';
    const conflict = { path, uid: entry.object, part: 'place', here: path, there: move.there.path };
    job.again.differences.conflict(conflict);
    if (job.again.rule !== 'stop')
      await job.scope.write((tx) => writePlace(tx, job.key, { uid: entry.uid, ...move.there }));
  }
}
