import { type ExportedAddress, uidFromPath } from '@canopy-server/site-reader';
import { contentPath, type Queryable } from '#core';
import { usableName } from '../planned-object.ts';
import { type PresentPlace, presentPlaces, rootPlace } from '../statements/again.ts';
import { type BaseEntry, baseEntries, type ExportedPlace } from '../statements/bases.ts';

/** Where an object is in an export. One that is `implied` is not in it, but something in it is. */
type PlaceThere = ExportedPlace & { path: string; implied?: boolean };

/** An object of an earlier import: what it was there, where it is in the newer export, and where it is on this site. */
export type Tracked = {
  entry: BaseEntry;
  /** Absent if the newer export does not have it. */
  there: PlaceThere | undefined;
  /** Absent if it was removed here. */
  here: PresentPlace | undefined;
};

/** The objects of earlier imports by their UIDs in the export. */
export type TrackedObjects = {
  byUid: ReadonlyMap<string, Tracked>;
  /** UIDs in the export by those of this site. */
  exportedUids: ReadonlyMap<string, string>;
  root: PresentPlace;
  /** UIDs in the export of containers that are not in it, by their paths there. */
  implied: ReadonlyMap<string, string>;
};

/** Values looked up with one statement. */
const CHUNK_SIZE = 5000;

/** Returns the paths that objects had in the last export. */
function formerPaths(entries: readonly BaseEntry[]): Map<string, BaseEntry> {
  const byUid = new Map(entries.map((entry) => [entry.uid, entry]));
  const paths = new Map<string, string>([['', contentPath.ROOT]]);
  const pathOf = (uid: string): string | undefined => {
    const way: BaseEntry[] = [];
    for (let at = byUid.get(uid); at && !paths.has(at.uid) && !way.includes(at); at = byUid.get(at.parent))
      way.push(at);
    for (const { uid: step, parent, name } of way.reverse()) {
      const container = paths.get(parent);
      if (container !== undefined) paths.set(step, name === '' ? container : contentPath.child(container, name));
    }
    return paths.get(uid);
  };
  return new Map(entries.flatMap((entry) => [[pathOf(entry.uid) ?? '', entry] as const]));
}

/**
 * Returns where objects are in an export: their containers by UID. The root's UID stands as an empty text. A container that the export
 * does not have is the one that the last export had there.
 */
function placesThere(
  addresses: readonly ExportedAddress[],
  entries: readonly BaseEntry[],
): { places: Map<string, PlaceThere>; implied: Map<string, string> } {
  const uidAt = new Map(addresses.map(({ path, uid }) => [path, uid]));
  const former = formerPaths(entries);
  const own = new Set(addresses.map(({ uid }) => uid));
  const places = new Map<string, PlaceThere>();
  const implied = new Map<string, string>();
  const containerOf = (path: string): string => {
    const parent = contentPath.parent(path) ?? contentPath.ROOT;
    if (parent === contentPath.ROOT) return '';
    const entry = former.get(parent);
    const known = uidAt.get(parent);
    if (known !== undefined || !entry || own.has(entry.uid)) return known ?? uidFromPath(parent);
    implied.set(parent, entry.uid);
    places.set(entry.uid, { parent: containerOf(parent), name: entry.name, path: parent, implied: true });
    return entry.uid;
  };
  for (const { path, uid } of addresses) {
    const name = usableName(contentPath.names(path).at(-1) ?? '');
    places.set(uid, { parent: path === contentPath.ROOT ? '' : containerOf(path), name, path });
  }
  return { places, implied };
}

/** Loads the objects of earlier imports of a source with their places. */
export async function loadTracked(
  db: Queryable,
  source: string,
  addresses: readonly ExportedAddress[],
): Promise<TrackedObjects> {
  const entries = await baseEntries(db, source);
  const { places: there, implied } = placesThere(addresses, entries);
  const here = new Map<string, PresentPlace>();
  for (let at = 0; at < entries.length; at += CHUNK_SIZE) {
    const objects = entries.slice(at, at + CHUNK_SIZE).map(({ object }) => object);
    for (const place of await presentPlaces(db, objects)) here.set(place.uid, place);
  }
  const root = await rootPlace(db);
  return {
    byUid: new Map(
      entries.map((entry) => [entry.uid, { entry, there: there.get(entry.uid), here: here.get(entry.object) }]),
    ),
    exportedUids: new Map(entries.map(({ uid, object }) => [object, uid])),
    root,
    implied,
  };
}
