import { createHash } from 'node:crypto';
import { contentPath } from '#core';
import { type ExportedPlace, writePlace } from '../statements/bases.ts';
import type { AgainJob } from './again-job.ts';
import type { Tracked, TrackedObjects } from './tracked.ts';

/** A place that an object of the site gets, as the newer export has it. */
export type Move = { tracked: Tracked; there: ExportedPlace & { path: string }; to: ExportedPlace };

/** The name of an object that makes room for another one for some moments; the same whenever the import is started. */
export const parkedName = (uid: string): string =>
  `moving-${createHash('sha256').update(uid).digest('hex').slice(0, 20)}`;

/** Returns where an object is here, its container by the UID in the export. One of this site only has a mark in front. */
export function placeHere({ entry, here }: Tracked, { exportedUids, root }: TrackedObjects): ExportedPlace | undefined {
  if (!here) return undefined;
  const parent = here.parent ?? '';
  const name = here.name === parkedName(entry.uid) ? entry.name : here.name;
  return { parent: parent === root.uid ? '' : (exportedUids.get(parent) ?? `@${parent}`), name };
}

type Side = 'base' | 'here' | 'there' | 'conflict';

/** Says which side has the value that counts: the one that changed it. */
function sideOf(base: string, here: string, there: string): Side {
  if (here === there || base === there) return 'here';
  return base === here ? 'there' : 'conflict';
}

const isRoot = ({ there }: Tracked): boolean => there?.path === contentPath.ROOT;

/**
 * Compares the places of objects: where each was in the export, is there, and is here. Returns those that move here. What moved on both
 * sides to different places is a conflict. Container and id are compared each by itself.
 */
export async function compareMoves(job: AgainJob, objects: TrackedObjects): Promise<Move[]> {
  const moves: Move[] = [];
  for (const tracked of objects.byUid.values()) {
    const { entry, there } = tracked;
    const here = placeHere(tracked, objects);
    if (!there || !here || isRoot(tracked)) continue;
    const isParked = tracked.here?.name === parkedName(entry.uid);
    if (there.parent === entry.parent && there.name === entry.name && !isParked) continue;
    const parent = sideOf(entry.parent, here.parent, there.parent);
    const name = sideOf(entry.name, here.name, there.name);
    let takes = parent === 'there' || name === 'there' || isParked;
    const merged = {
      parent: parent === 'there' ? there.parent : here.parent,
      name: name === 'there' ? there.name : here.name,
    };
    let to = merged;
    if (parent === 'conflict' || name === 'conflict') {
      const path = tracked.here?.path ?? there.path;
      const conflict = { path, uid: entry.object, part: 'place', here: path, there: there.path };
      takes = job.again.differences.conflict(conflict) === 'there' || isParked;
      if (job.again.rule === 'take') to = { parent: there.parent, name: there.name };
      else if (job.again.rule === 'stop') continue;
    }
    if (takes) moves.push({ tracked, there, to });
    else await job.scope.write((tx) => writePlace(tx, job.key, { uid: entry.uid, ...there }));
  }
  return moves;
}
