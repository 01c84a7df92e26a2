import {
  type Caller,
  type Field,
  fieldValues,
  has,
  isOpen,
  type Kernel,
  locateAllForWrite,
  locks,
  MODIFY,
  publishing,
  type ResolvedNode,
  references,
  requirePermission,
  type Site,
  type Transaction,
} from '#core';
import { type ClosedRelations, relationsToRemove } from './statements.ts';

/** A relation in requests: path, address or UID of both ends. */
export type RelationItem = { source: string; target: string; relation: string };

/** A relation that was not changed, with the reason. */
export type RelationFailure = { item: RelationItem; reason: string };

type Change = 'add' | 'remove';

/** The field of a relation, if the type has one that clients may write. */
export function relationField(site: Site, type: string, relation: string): Field | undefined {
  const field = site.types.get(type)?.fieldByName.get(relation);
  return field && site.registries.fieldKinds.of(field).relates && fieldValues.isWritable(field) ? field : undefined;
}

/** The relation fields that not everybody may read: no list contains their relations, for any caller, as no index contains them. */
export const closedRelations = ({ types, registries }: Site): ClosedRelations =>
  [...types.values()].flatMap(({ id: type, fields }) =>
    fields.flatMap((field) =>
      registries.fieldKinds.of(field).relates && !isOpen(field) ? [{ type, field: field.name }] : [],
    ),
  );

/** The UIDs in a relation field. */
const uidsIn = (stored: unknown): string[] =>
  (Array.isArray(stored) ? stored : [stored]).filter((uid) => typeof uid === 'string');

/** The UIDs of a field after one change, or the reason why the change is impossible. A choice replaces its target. */
function changedTargets(
  field: Field,
  { uids, target, change, one }: { uids: readonly string[]; target: string; change: Change; one: boolean },
): string[] | string {
  if (change === 'add') {
    if (one) return [target];
    return uids.includes(target) ? [...uids] : [...uids, target];
  }
  const left = uids.filter((uid) => uid !== target);
  return left.length === 0 && uids.length > 0 && field.required ? 'The relation is required.' : left;
}

type Target = { item: RelationItem; uid: string };

/** Changes the relations of one locked source, as one change of the object. */
async function changeSource(
  kernel: Kernel,
  tx: Transaction,
  {
    site,
    resolved,
    caller,
    targets,
    change,
  }: { site: Site; resolved: ResolvedNode; caller: Caller; targets: readonly Target[]; change: Change },
): Promise<RelationFailure[]> {
  const holdsOne = (field: Field | undefined) => field !== undefined && kernel.fieldKinds.of(field).relates === 'one';
  const failed: RelationFailure[] = [];
  const values: Record<string, string[]> = {};
  const fields = new Map<string, Field>();
  for (const { item, uid } of targets) {
    const field = relationField(site, resolved.object.type, item.relation);
    const uids = values[item.relation] ?? uidsIn(resolved.object.fields[item.relation]);
    const reject = (reason: string) => failed.push({ item, reason });
    if (!field || (field.write_permission !== undefined && !has(site, caller, resolved, field.write_permission)))
      reject('Relation not found.');
    else if (locks.active(resolved.object)) reject('Source is locked.');
    else {
      const next = changedTargets(field, { uids, target: uid, change, one: holdsOne(field) });
      if (typeof next === 'string') reject(next);
      else {
        fields.set(item.relation, field);
        values[item.relation] = next;
      }
    }
  }
  const stored = Object.entries(values).map(([name, uids]): [string, unknown] => [
    name,
    holdsOne(fields.get(name)) ? (uids[0] ?? null) : uids,
  ]);
  await fieldValues.replace(kernel, tx, { site, object: resolved.object, caller, values: Object.fromEntries(stored) });
  return failed;
}

/** Groups the items by the path of their source, and finds items with unknown ends. */
function groupBySource(
  items: readonly RelationItem[],
  find: Awaited<ReturnType<typeof references.visibleEnds>>,
  change: Change,
) {
  const failed: RelationFailure[] = [];
  const bySource = new Map<string, Target[]>();
  for (const item of items) {
    const source = find(item.source);
    // The UID of a broken relation belongs to no content, but can be removed.
    const target =
      find(item.target)?.uid ?? (change === 'remove' && !item.target.includes('/') ? item.target : undefined);
    if (!source) failed.push({ item, reason: 'Source not found.' });
    else if (target === undefined) failed.push({ item, reason: 'Target not found.' });
    else bySource.set(source.path, [...(bySource.get(source.path) ?? []), { item, uid: target }]);
  }
  return { failed, bySource };
}

/**
 * Adds values to relation fields, or removes them, in one transaction. Returns the relations that could not be changed with
 * the reasons; the others are changed (plone.restapi, R06). Throws Unauthorized or Forbidden, and changes nothing, when the
 * caller may not modify one of the sources.
 */
export async function changeRelations(
  kernel: Kernel,
  {
    site: known,
    caller,
    items,
    change,
    bases,
  }: { site: Site; caller: Caller; items: readonly RelationItem[]; change: Change; bases: readonly string[] },
): Promise<RelationFailure[]> {
  const ends = items.flatMap(({ source, target }) => [source, target]);
  return kernel.db.transaction(async (tx) => {
    const find = await references.visibleEnds(
      tx,
      { rule: publishing.viewRuleOf(known), caller },
      { references: ends, bases },
    );
    const { failed, bySource } = groupBySource(items, find, change);
    const paths = [...bySource.keys()];
    const lookups = await locateAllForWrite(
      kernel,
      tx,
      paths.map((path) => ({ path, lockMode: 'change' })),
    );
    for (const { site, resolved } of lookups) if (resolved) requirePermission(site, caller, resolved, MODIFY);
    for (const [at, { site, resolved }] of lookups.entries()) {
      const targets = bySource.get(paths[at] ?? '') ?? [];
      if (resolved) failed.push(...(await changeSource(kernel, tx, { site, resolved, caller, targets, change })));
      else failed.push(...targets.map(({ item }) => ({ item, reason: 'Source not found.' })));
    }
    return failed;
  });
}

/** Number of relations that one transaction removes. */
const BATCH = 500;

/** Removes all matching relations, in batches of one transaction each. `source` and `target` are UIDs. */
export async function removeRelations(
  kernel: Kernel,
  caller: Caller,
  filter: { relation?: string | undefined; source?: string | undefined; target?: string | undefined },
): Promise<RelationFailure[]> {
  for (;;) {
    const site = await kernel.sites.current();
    const scope = { ...filter, ...publishing.viewersOf(site, caller), closed: closedRelations(site) };
    const items = await relationsToRemove(kernel.db, scope, BATCH);
    if (items.length === 0) return [];
    const failed = await changeRelations(kernel, { site, caller, items, change: 'remove', bases: [] });
    if (failed.length > 0) return failed;
  }
}
