import { contentPath, type Kernel } from '#core';
import { BadRequest } from '#lib/errors';
import { importContent } from '../import-content.ts';
import { importLanguages } from '../import-languages.ts';
import { withUsableUid } from '../import-plan.ts';
import { importPrincipals } from '../import-principals.ts';
import { makeTypes } from '../import-types.ts';
import type { EarlierObjects } from '../planned-object.ts';
import { prepareRun } from '../prepare-run.ts';
import { sourcesOf } from '../statements/bases.ts';
import { presentUids } from '../statements/content.ts';
import type { AgainJob, AgainRun } from './again-job.ts';
import { importCommentsAgain } from './comments.ts';
import { compareMoves } from './compare-places.ts';
import { settleGone } from './gone.ts';
import { makeRoom, moveObjects, moveRest } from './move-objects.ts';
import { importOrders } from './order.ts';
import { importRedirectsAgain } from './redirects.ts';
import { removedThere, removeUnchanged, settleRemovals } from './removals.ts';
import { loadTracked, type TrackedObjects } from './tracked.ts';
import { updateContent } from './update-content.ts';

/** UIDs looked up with one statement. */
const CHUNK_SIZE = 5000;

/**
 * Finds the earlier import of the same site: the one that has the most objects of the export. Throws BadRequest if no import has stored
 * any of them.
 */
export async function earlierImport(kernel: Pick<Kernel, 'db'>, uids: readonly string[]): Promise<string> {
  const counts = new Map<string, number>();
  for (let at = 0; at < uids.length; at += CHUNK_SIZE)
    for (const { source, objects } of await sourcesOf(kernel.db, uids.slice(at, at + CHUNK_SIZE)))
      counts.set(source, (counts.get(source) ?? 0) + objects);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  if (!most)
    throw new BadRequest(
      'No object of this export has been imported before, by a version that stores what it imports. Import it without --again.',
    );
  return most[0];
}

/** Brings a site up to date with a newer export of the site that was imported into it. */
export async function importAgain(job: AgainJob, batchSize: number): Promise<void> {
  const { source, scope, key, report } = job;
  const groups = await importPrincipals(job);
  const site = await makeTypes(job);
  const addresses = (await source.addresses()).map((address) => withUsableUid(address, report));
  const objects = await loadTracked(scope.db, key, addresses);
  const removed = removedThere(
    objects,
    addresses.some(({ path }) => contentPath.parent(path) === contentPath.ROOT),
  );
  // What goes makes room for what moves, and what moves out of a container that goes is not lost with it.
  let moves = await moveObjects(job, objects, await compareMoves(job, objects));
  await removeUnchanged(job, objects, removed);
  moves = await moveObjects(job, objects, moves);
  const news = addresses.filter(({ uid }) => !objects.byUid.has(uid)).map(({ path }) => path);
  await makeRoom(job, [...moves.map(({ tracked }) => tracked), ...removed], new Set(news));
  const run = await prepareAgain(job, { site, groups, addresses, objects });
  await settleGone(run, batchSize, moves);
  await importContent(run, batchSize);
  await moveRest(run, objects, moves);
  await settleRemovals(run, objects, removed);
  await finish(run, batchSize);
}

type Prepared = Omit<Parameters<typeof prepareRun>[1], 'earlier'> & { objects: TrackedObjects };

/** Plans the objects of the export once those of earlier imports are in their places. */
async function prepareAgain(job: AgainJob, { objects, ...prepared }: Prepared): Promise<AgainRun> {
  const run = await prepareRun(job, { ...prepared, earlier: await earlierObjects(job, objects) });
  return { ...run, again: job.again };
}

async function earlierObjects({ scope }: AgainJob, { byUid, implied }: TrackedObjects): Promise<EarlierObjects> {
  const entries = [...byUid.values()].filter(({ there }) => there).map(({ entry }) => entry);
  const done: EarlierObjects['done'][number][] = [];
  const gone = new Map<string, string>();
  for (let at = 0; at < entries.length; at += CHUNK_SIZE) {
    const chunk = entries.slice(at, at + CHUNK_SIZE);
    const uids = chunk.map(({ object }) => object);
    const present = new Map((await presentUids(scope.db, uids)).map((object) => [object.uid, object]));
    for (const { uid, object } of chunk) {
      const found = present.get(object);
      if (found) done.push({ ...found, key: uid });
      else gone.set(uid, object);
    }
  }
  return { done, gone, implied };
}

/** The steps for which all objects are in their places. */
async function finish(run: AgainRun, batchSize: number): Promise<void> {
  const moved = await earlierPaths(run);
  await updateContent(moved, batchSize);
  await importOrders(moved);
  await importLanguages(moved);
  moved.oldAddresses.report(moved.report);
  await importRedirectsAgain(moved);
  await importCommentsAgain(moved);
}

/** Brings the paths of the plan up to date after the last moves and removals. */
async function earlierPaths(run: AgainRun): Promise<AgainRun> {
  const planned = [...run.plan.byUid.values()].filter(({ oid }) => oid !== null);
  for (let at = 0; at < planned.length; at += CHUNK_SIZE) {
    const chunk = planned.slice(at, at + CHUNK_SIZE);
    const uids = chunk.map(({ uid }) => uid);
    const present = new Map((await presentUids(run.scope.db, uids)).map(({ uid, path }) => [uid, path]));
    for (const object of chunk) object.path = present.get(object.uid) ?? object.path;
  }
  return run;
}
