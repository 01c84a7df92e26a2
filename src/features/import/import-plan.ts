import { type ExportedAddress, uidFromPath } from '@canopy-server/plone-export';
import { contentPath, type Queryable } from '#core';
import { NotFound } from '#lib/errors';
import type { ImportReport } from './import-report.ts';
import { type PresentObject, presentPaths, presentUids, rootState } from './statements/content.ts';
import { type ImportedObject, importedObjects } from './statements/progress.ts';
import { cleanTexts, isIdentifier } from './storable-text.ts';

/**
 * The state of an object: `create` is still to be written, `created` has been written; `done` was written by an earlier
 * run of the same import; `present` was on the site without the import; `failed` could not be imported.
 */
type ImportState = 'create' | 'created' | 'done' | 'present' | 'failed';

/** An object of the export, and where it is or will be on this site. */
export type PlannedObject = {
  exported: ExportedAddress;
  /** Null for the root. */
  parent: PlannedObject | null;
  uid: string;
  path: string;
  state: ImportState;
  /** Null until it is written. */
  oid: number | null;
  translationGroup: string | null;
  /** Among its siblings, in the order of the export. */
  ordinal: number;
  children: number;
};

/** All objects of an export with their states, before anything is written. */
export type ImportPlan = {
  root: PlannedObject;
  /** By path and by UID in the export. */
  byPath: ReadonlyMap<string, PlannedObject>;
  byUid: ReadonlyMap<string, PlannedObject>;
  /** Containers that objects of the export lie in, but that are neither in it nor on the site. */
  missing: readonly PlannedObject[];
};

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
  present: ReadonlyMap<string, PresentObject>;
  report: ImportReport;
};

/**
 * Decides for every object of the export whether and where it is created. References to objects that are written later
 * can thus be resolved from the beginning. Nothing is written here.
 */
export async function makePlan(
  db: Queryable,
  key: string,
  exported: readonly ExportedAddress[],
  report: ImportReport,
): Promise<ImportPlan> {
  const [siteRoot] = await presentPaths(db, [contentPath.ROOT]);
  if (!siteRoot) throw new NotFound(contentPath.ROOT, 'There is no site to import into.');
  const addresses = exported.map((address) => withUsableUid(address, report));
  const done = new Map((await importedObjects(db, key)).map((object) => [object.key, object]));
  const uids = addresses.map(({ uid }) => uid).filter((uid) => !done.has(uid));
  const present = new Map(
    (await inChunks(uids, (chunk) => presentUids(db, chunk))).map((object) => [object.uid, object]),
  );
  const draft: Draft = { byPath: new Map(), byUid: new Map(), taken: new Set(), done, present, report };
  const rootAddress = addresses.find(({ path }) => path === contentPath.ROOT);
  const root = planRoot(rootAddress, siteRoot, await rootState(db), draft);
  const missing: PlannedObject[] = [];
  for (const address of addresses) {
    if (address === rootAddress) continue;
    plan(draft, address, containerOf(draft, address.path, missing));
  }
  await findTakenPaths(db, draft, missing);
  return {
    root,
    byPath: draft.byPath,
    byUid: draft.byUid,
    missing: missing.filter(({ state }) => state === 'create'),
  };
}

function withUsableUid(address: ExportedAddress, report: ImportReport): ExportedAddress {
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
  const exported = { path: parent, uid: uidFromPath(parent), type: '', file: '' };
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

function placeOf({ done, present, taken, report }: Draft, exported: ExportedAddress, parent: PlannedObject): Place {
  const earlier = done.get(exported.uid);
  if (earlier) return { uid: earlier.uid, path: earlier.path, oid: earlier.oid, state: 'done', translationGroup: null };
  const found = present.get(exported.uid);
  if (found) {
    if (exported.type !== '') {
      const message = `Content with its UID is there already, at ${found.path}, and stays as it is.`;
      report.add({ reason: 'present', file: exported.file, path: exported.path, message });
    }
    return { ...found, state: 'present' };
  }
  const name = contentPath.names(exported.path).at(-1) ?? '';
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

/** Returns a valid name for content: slashes and control characters are replaced. */
export const usableName = (name: string): string => cleanTexts(name).replace(/[/\p{Cc}]/gu, '-');

function freePath(taken: ReadonlySet<string>, container: string, name: string): string {
  const wanted = contentPath.child(container, name);
  if (!taken.has(wanted)) return wanted;
  let number = 1;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}

/** Marks objects whose path is in use as present: the content there stays, and gets their children and references. */
async function findTakenPaths(
  db: Queryable,
  { byPath, report }: Draft,
  missing: readonly PlannedObject[],
): Promise<void> {
  const created = [...byPath.values()].filter(({ state, parent }) => state === 'create' && parent !== null);
  const waiting = new Map(created.map((planned) => [planned.path, planned]));
  const substitutes = new Set(missing);
  for (const { path, oid, uid, translationGroup } of await inChunks([...waiting.keys()], (chunk) =>
    presentPaths(db, chunk),
  )) {
    const planned = waiting.get(path);
    if (!planned) continue;
    Object.assign(planned, { oid, uid, translationGroup, state: 'present' });
    if (substitutes.has(planned)) continue;
    const message = `There is content at ${path} already, which stays as it is.`;
    report.add({ reason: 'present', file: planned.exported.file, path: planned.exported.path, message });
  }
}
