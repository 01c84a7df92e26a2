import {
  access,
  contentPath,
  contentRows,
  contentStates,
  indexing,
  type Queryable,
  redirectRows,
  type Site,
  type searchWords,
  workflowHistory,
} from '#core';
import { insertVersions } from '../history/statements.ts';
import { recordBases } from './again/record-bases.ts';
import { type Container, type ContentRows, rowsOf } from './content-rows.ts';
import type { ImportRun } from './import-run.ts';
import type { ItemValues } from './item-values.ts';
import type { LoadedItem } from './load-item.ts';
import { missingFileKeys } from './missing-files.ts';
import type { PlannedObject } from './planned-object.ts';
import { lastPlacesBefore } from './statements/content.ts';
import { rememberImported } from './statements/progress.ts';

/** An object of a batch with the stored values of its fields, and the words that it is found by. */
export type ReadyItem = ItemValues & { loaded: LoadedItem; words: ReturnType<typeof searchWords.ofContent> };

/** The result of a batch: the numbers of the new objects, and the objects that could not be written. */
export type BatchResult = {
  made: Map<PlannedObject, number>;
  /** Their path or UID was taken while the import ran. */
  taken: PlannedObject[];
  /** Their container is not on the site. */
  orphaned: PlannedObject[];
};

/**
 * Writes objects, containers before their children, together with all dependent rows: a dozen statements whatever the
 * number of objects. Their containers are locked meanwhile, as for any other new content.
 */
export async function writeBatch(tx: Queryable, run: ImportRun, batch: readonly ReadyItem[]): Promise<BatchResult> {
  const own = new Set(batch.map(({ loaded: { planned } }) => planned));
  const outside = new Set(
    batch.flatMap(({ loaded: { planned } }) => (planned.parent && !own.has(planned.parent) ? [planned.parent] : [])),
  );
  const containers = await lockContainers(tx, run.site, outside);
  const places = await firstPositions(tx, run, outside, containers);
  const oids = await contentRows.reserveOids(tx, batch.length);
  const rows = new Map<PlannedObject, ContentRows>();
  const orphaned: PlannedObject[] = [];
  for (const [index, ready] of batch.entries()) {
    const { loaded } = ready;
    const { planned, item } = loaded;
    const oid = oids[index];
    const container = planned.parent ? containers.get(planned.parent) : undefined;
    if (oid === undefined || !container) {
      orphaned.push(planned);
      continue;
    }
    const position = (places.get(container.node.oid) ?? 1) + (item.position ?? planned.ordinal);
    const row = rowsOf(run, ready, { oid, position, container });
    rows.set(planned, row);
    containers.set(planned, row.self);
  }
  const inserted = await contentRows.insertContents(
    tx,
    [...rows.values()].map(({ content }) => content),
  );
  const made = [...rows].filter(([, { content }]) => inserted.has(content.oid));
  await writeDependents(tx, run, made);
  await recordBases(
    tx,
    run,
    made.map(([planned, { content, item }]) => ({ planned, item, state: contentStates.of(content) })),
  );
  const written = new Set(made.map(([planned]) => planned));
  await rememberImported(
    tx,
    run.key,
    batch.flatMap(({ loaded }) =>
      written.has(loaded.planned) ? missingFileKeys(loaded).map((uid) => ({ uid, content: null })) : [],
    ),
  );
  return {
    made: new Map(made.map(([planned, { content }]) => [planned, content.oid])),
    taken: [...rows].flatMap(([planned, { content }]) => (inserted.has(content.oid) ? [] : [planned])),
    orphaned,
  };
}

async function writeDependents(
  tx: Queryable,
  { kernel, site, key }: ImportRun,
  made: [PlannedObject, ContentRows][],
): Promise<void> {
  if (made.length === 0) return;
  const rows = made.map(([, row]) => row);
  await indexing.insert(
    kernel,
    tx,
    site,
    rows.map(({ indexed }) => indexed),
  );
  await workflowHistory.add(
    tx,
    rows.flatMap(({ content, history }) => history.map((entry) => ({ ...entry, content: content.oid }))),
  );
  await insertVersions(
    tx,
    rows.flatMap(({ content, versions }) => versions.map((version) => ({ ...version, content: content.oid }))),
  );
  await redirectRows.forgetRedirects(
    tx,
    rows.map(({ content }) => content.path),
  );
  await rememberImported(
    tx,
    key,
    made.map(([{ exported }, { content }]) => ({ uid: exported.uid, content: content.oid })),
  );
}

/**
 * Loads the containers of a batch with their security chains, and locks them and their own containers against changes.
 */
async function lockContainers(
  tx: Queryable,
  site: Site,
  parents: ReadonlySet<PlannedObject>,
): Promise<Map<PlannedObject, Container>> {
  const paths = [...new Set([...parents].flatMap(({ path }) => contentPath.to(path)))];
  await contentRows.lock(tx, paths, 'shared');
  const nodes = new Map((await contentRows.nodesAt(tx, paths)).map((node) => [node.path, node]));
  const containers = new Map<PlannedObject, Container>();
  for (const parent of parents) {
    const ancestors = contentPath.to(parent.path).reverse();
    const found = ancestors.flatMap((path) => nodes.get(path) ?? []);
    const [node] = found;
    if (node && found.length === ancestors.length) {
      containers.set(parent, { node, chain: found.map((each) => access.node(site, each)) });
    }
  }
  return containers;
}

/**
 * Returns the position of the first imported child in each container: after the children that were there before the
 * import.
 */
async function firstPositions(
  tx: Queryable,
  { key, places }: ImportRun,
  parents: ReadonlySet<PlannedObject>,
  containers: ReadonlyMap<PlannedObject, Container>,
): Promise<ReadonlyMap<number, number>> {
  const open = [...parents]
    // Containers created by this run were empty. The root was not, although the import may have filled it.
    .filter(({ state, parent }) => state !== 'created' || parent === null)
    .flatMap((parent) => containers.get(parent)?.node.oid ?? [])
    .filter((oid) => !places.has(oid));
  if (open.length > 0) {
    const last = await lastPlacesBefore(tx, key, open);
    for (const oid of open) places.set(oid, Math.floor(last.get(oid) ?? 0) + 1);
  }
  return places;
}

/** Counts an object that was written under the number `oid` with its files and relations, and reports its problems. */
export function countCreated(
  { report, summary, relations, again }: ImportRun,
  { loaded, problems, unknown }: ReadyItem,
  oid: number,
): void {
  const { planned, item, files, type } = loaded;
  planned.oid = oid;
  planned.state = 'created';
  summary.objects.created += 1;
  again?.differences.change({ change: 'added', path: planned.path, parts: [] });
  summary.files.created += files.size;
  summary.files.failed += item.files.length - files.size;
  summary.relations.created += relations.get(planned.exported.uid)?.length ?? 0;
  for (const problem of problems) report.add({ path: item.path, ...problem });
  for (const name of unknown) {
    report.note({
      reason: 'field',
      path: item.path,
      key: name,
      message: `The type ${type.id} cannot have a field ${name}: its value is kept, but not served.`,
    });
  }
}
