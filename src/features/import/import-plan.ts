import { type ExportedAddress, uidFromPath } from '@canopy-server/site-reader';
import { contentPath, type Queryable } from '#core';
import { NotFound } from '#lib/errors';
import type { ImportReport } from './import-report.ts';
import type { EarlierObjects, ImportPlan, PlannedObject } from './planned-object.ts';
import { usableName } from './planned-object.ts';
import { type PresentObject, presentPaths, presentUids, rootState } from './statements/content.ts';
import { type ImportedObject, importedObjects } from './statements/progress.ts';
import { isIdentifier } from './storable-text.ts';

/** Values looked up with one statement. */
const CHUNK_SIZE = 5000;

async function inChunks<T>(values: string[], lookUp: (chunk: string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < values.length; at += CHUNK_SIZE)
    found.push(...(await lookUp(values.slice(at, at + CHUNK_SIZE))));
  return found;
}

type Draft = {
  byPath: Map<string, PlannedObject>;
  byUid: Map<string, PlannedObject>;
  /** Paths on this site that objects to be created will have. */
  taken: Set<string>;
  done: ReadonlyMap<string, ImportedObject>;
  /** UIDs on this site of objects that were imported and removed here since, by those of the export. */
  gone: ReadonlyMap<string, string>;
  /** UIDs of containers that the export does not have, by path. */
  implied: ReadonlyMap<string, string>;
  present: ReadonlyMap<string, PresentObject>;
  report: Pick<ImportReport, 'add'>;
};

/** How often a plan is made again because names that it has chosen are taken as well. */
const MAX_ROUNDS = 5;

/**
 * Decides for every object of the export whether and where it is created. References to objects that are written later
 * can thus be resolved from the beginning. Nothing is written here. Beside `earlier` objects, new ones get a free name where the
 * site has content with theirs; otherwise that content stands for them.
 */
export async function makePlan(
  db: Queryable,
  key: string,
  exported: readonly ExportedAddress[],
  report: ImportReport,
  earlier?: EarlierObjects,
): Promise<ImportPlan> {
  const addresses = exported.map((address) => withUsableUid(address, report));
  const done = earlier?.done ?? (await importedObjects(db, key));
  const known = {
    done: new Map(done.map((object) => [object.key, object])),
    gone: earlier?.gone ?? new Map(),
    implied: earlier?.implied ?? new Map(),
  };
  const taken = new Set<string>();
  for (let round = 1; earlier && round < MAX_ROUNDS; round += 1) {
    const { draft } = await draftPlan(db, addresses, { ...known, taken, report: silentReport });
    const found = await takenPaths(db, draft);
    if (found.length === 0) break;
    for (const { path } of found) taken.add(path);
  }
  const { draft, root, missing } = await draftPlan(db, addresses, { ...known, taken, report });
  useTakenPaths(draft, await takenPaths(db, draft), missing);
  return {
    root,
    byPath: draft.byPath,
    byUid: draft.byUid,
    missing: missing.filter(({ state }) => state === 'create'),
  };
}

/** A report of plans that are made again. */
const silentReport: Pick<ImportReport, 'add'> = { add: () => {} };

/** Plans all objects as if the names that they get were free, but for those `taken`. */
async function draftPlan(
  db: Queryable,
  addresses: readonly ExportedAddress[],
  { taken, ...given }: Pick<Draft, 'done' | 'gone' | 'implied' | 'report'> & { taken: ReadonlySet<string> },
): Promise<{ draft: Draft; root: PlannedObject; missing: PlannedObject[] }> {
  const [siteRoot] = await presentPaths(db, [contentPath.ROOT]);
  if (!siteRoot) throw new NotFound(contentPath.ROOT, 'There is no site to import into.');
  const { done, gone } = given;
  const uids = addresses.map(({ uid }) => uid).filter((uid) => !done.has(uid) && !gone.has(uid));
  const present = new Map(
    (await inChunks(uids, (chunk) => presentUids(db, chunk))).map((object) => [object.uid, object]),
  );
  const draft: Draft = { byPath: new Map(), byUid: new Map(), taken: new Set(taken), present, ...given };
  const rootAddress = addresses.find(({ path }) => path === contentPath.ROOT);
  const root = planRoot(rootAddress, siteRoot, await rootState(db), draft);
  const missing: PlannedObject[] = [];
  for (const address of addresses) {
    if (address === rootAddress) continue;
    plan(draft, address, containerOf(draft, address.path, missing));
  }
  return { draft, root, missing };
}

/** Returns an address with a UID that can be one. */
export function withUsableUid(address: ExportedAddress, report: ImportReport): ExportedAddress {
  if (isIdentifier(address.uid)) return address;
  report.add({
    reason: 'renamed',
    file: address.file,
    path: address.path,
    key: 'UID',
    message: 'Its UID cannot be one; it gets one made from its path.',
  });
  return { ...address, uid: uidFromPath(address.path) };
}

/**
 * Plans the root, which is always present. It gets the exported values and UID if nobody has changed it since the site
 * was created.
 */
function planRoot(
  address: ExportedAddress | undefined,
  site: PresentObject,
  { untouched, referred }: { untouched: boolean; referred: boolean },
  { done, present, byPath, byUid, report }: Draft,
): PlannedObject {
  const exported = address ?? { path: contentPath.ROOT, uid: site.uid, type: '', file: '' };
  const common = {
    exported,
    parent: null,
    path: contentPath.ROOT,
    oid: site.oid,
    translationGroup: null,
    ordinal: 0,
    children: 0,
  };
  const isDone = address !== undefined && done.has(address.uid);
  const takesUid =
    untouched && !referred && !present.has(exported.uid) && exported.uid !== uidFromPath(contentPath.ROOT);
  const root: PlannedObject = {
    ...common,
    uid: address !== undefined && !isDone && takesUid ? exported.uid : site.uid,
    state: isDone ? 'done' : untouched ? 'create' : 'present',
  };
  if (address && root.state === 'present') {
    report.add({
      reason: 'present',
      file: address.file,
      path: contentPath.ROOT,
      message: 'The site root is not as the site was made with: it stays as it is.',
    });
  }
  byPath.set(contentPath.ROOT, root);
  if (address) byUid.set(address.uid, root);
  return root;
}

/** Returns the container of a path. A missing one is planned as a substitute, and so are its own missing containers. */
function containerOf(draft: Draft, path: string, missing: PlannedObject[]): PlannedObject {
  const parent = contentPath.parent(path) ?? contentPath.ROOT;
  const known = draft.byPath.get(parent);
  if (known) return known;
  const exported = { path: parent, uid: draft.implied.get(parent) ?? uidFromPath(parent), type: '', file: '' };
  const substitute = plan(draft, exported, containerOf(draft, parent, missing));
  missing.push(substitute);
  return substitute;
}

function plan(draft: Draft, exported: ExportedAddress, parent: PlannedObject): PlannedObject {
  const ordinal = parent.children;
  parent.children += 1;
  const { uid, path, oid, state, translationGroup } = placeOf(draft, exported, parent);
  // There is one for each object of the export: written out, it takes half the memory of one that is made by spreading another.
  const planned: PlannedObject = {
    exported,
    parent,
    uid,
    path,
    state,
    oid,
    translationGroup,
    ordinal,
    children: 0,
  };
  draft.byPath.set(exported.path, planned);
  draft.byUid.set(exported.uid, planned);
  return planned;
}

type Place = Pick<PlannedObject, 'uid' | 'path' | 'oid' | 'state' | 'translationGroup'>;

function placeOf(
  { done, gone, present, taken, report }: Draft,
  exported: ExportedAddress,
  parent: PlannedObject,
): Place {
  const earlier = done.get(exported.uid);
  if (earlier)
    return {
      uid: earlier.uid,
      path: earlier.path,
      oid: earlier.oid,
      state: 'done',
      translationGroup: earlier.translationGroup,
    };
  const name = contentPath.names(exported.path).at(-1) ?? '';
  const removed = gone.get(exported.uid);
  const found = present.get(exported.uid);
  if (removed !== undefined || (parent.state === 'gone' && !found)) {
    const path = contentPath.child(parent.path, usableName(name));
    return { uid: removed ?? exported.uid, path, oid: null, state: 'gone', translationGroup: null };
  }
  if (found) {
    if (exported.type !== '') {
      const message = `Content with its UID is there already, at ${found.path}, and stays as it is.`;
      report.add({ reason: 'present', file: exported.file, path: exported.path, message });
    }
    return { ...found, state: 'present' };
  }
  const free = freePath(taken, parent.path, usableName(name));
  // One text for both where they are alike.
  const path = free === exported.path ? exported.path : free;
  taken.add(path);
  if (path !== contentPath.child(parent.path, name)) {
    report.add({
      reason: 'renamed',
      file: exported.file,
      path: exported.path,
      key: 'id',
      message: `Its id cannot be one here; it becomes ${path}.`,
    });
  }
  return { uid: exported.uid, path, oid: null, state: 'create', translationGroup: null };
}

function freePath(taken: ReadonlySet<string>, container: string, name: string): string {
  const wanted = contentPath.child(container, name);
  if (!taken.has(wanted)) return wanted;
  let number = 1;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/** Returns the content of the site at the paths of objects that are to be created. */
const takenPaths = (db: Queryable, { byPath }: Draft): Promise<PresentObject[]> => {
  const created = [...byPath.values()].filter(({ state, parent }) => state === 'create' && parent !== null);
  return inChunks(
    created.map(({ path }) => path),
    (chunk) => presentPaths(db, chunk),
  );
};

/** Marks objects whose path is in use as present: the content there stays, and gets their children and references. */
function useTakenPaths(
  { byPath, report }: Draft,
  taken: readonly PresentObject[],
  missing: readonly PlannedObject[],
): void {
  const created = [...byPath.values()].filter(({ state, parent }) => state === 'create' && parent !== null);
  const waiting = new Map(created.map((planned) => [planned.path, planned]));
  const substitutes = new Set(missing);
  for (const { path, oid, uid, translationGroup } of taken) {
    const planned = waiting.get(path);
    if (!planned) continue;
    Object.assign(planned, { oid, uid, translationGroup, state: 'present' });
    if (substitutes.has(planned)) continue;
    const message = `There is content at ${path} already, which stays as it is.`;
    report.add({ reason: 'present', file: planned.exported.file, path: planned.exported.path, message });
  }
}
