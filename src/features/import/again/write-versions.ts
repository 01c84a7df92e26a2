import {
  type ContentType,
  contentStates,
  fieldValues,
  type ResolvedNode,
  type Site,
  type Transaction,
  versions,
} from '#core';
import type { JsonObject } from '#lib/json-object';
import {
  insertVersions,
  newestVersion,
  pruneVersionRows,
  replaceVersion,
  type WrittenVersion,
} from '../../history/statements.ts';
import { retentionOf } from '../../history/versioning.ts';
import { changedNames, olderValues } from '../version-rows.ts';
import type { ReadyItem } from '../write-batch.ts';
import type { AgainRun } from './again-job.ts';
import type { ImportedState } from './imported-state.ts';
import type { NewVersions } from './new-versions.ts';

/** A held object with its states in the export, and what it gets of the newer one. */
type VersionedWrite = {
  site: Site;
  type: ContentType;
  /** The object before the write. */
  resolved: ResolvedNode;
  merged: contentStates.Merged;
  ready: ReadyItem;
  base: ImportedState | undefined;
  there: ImportedState;
  versions: NewVersions;
};

/** A version that the object went through in the export, with the values that it has on this site. */
type Step = Pick<WrittenVersion, 'at' | 'actor' | 'note'> & { values: JsonObject };

/**
 * Runs `write`, which changes a held object in one step, and records the versions that the object went through in the export meanwhile before
 * the one of this change. Each of them is merged with what this site has changed, as the change itself is, so that it shows what was changed then.
 */
export async function writeWithVersions(
  tx: Transaction,
  run: AgainRun,
  { versions: added, ...given }: VersionedWrite,
  write: () => Promise<void>,
): Promise<void> {
  if (!added.isNew) return write();
  const { object } = given.resolved;
  const before = await newestVersion(tx, object.oid);
  await write();
  const after = await newestVersion(tx, object.oid);
  const here: JsonObject = { ...fieldValues.of(object), [versions.LAYOUT]: object.layout };
  const last = withChange(here, given.merged.change);
  const steps = stepsOf(run, given, { added, here });
  // The write has recorded a version unless it changed no value, or objects of the type have no versions.
  const recorded = after !== undefined && after.number > (before?.number ?? 0) ? after : undefined;
  const { change, modified } = given.ready.loaded.item;
  const present = recorded ?? { at: modified ?? new Date(), actor: change.actor ?? object.owner, note: change.note };
  const found = await firstVersion(tx, given.resolved, recorded ? recorded.number - 1 : after?.number);
  // The first of the added versions, or a later one, replaces the values that the write has replaced.
  const first = found && { ...found, replaced: before?.replaced ?? {} };
  await placeVersions(tx, { content: object.oid, first, recorded }, [
    { at: first?.at ?? object.created, actor: '', note: '', values: here },
    ...steps,
    { at: present.at, actor: present.actor, note: present.note, values: last },
  ]);
  const retention = retentionOf(given.site);
  await pruneVersionRows(tx, { retention, after: object.oid - 1, limit: 1 });
}

const withChange = (here: JsonObject, { values, layout }: contentStates.Merged['change']): JsonObject => ({
  ...here,
  ...values,
  ...(layout === undefined ? {} : { [versions.LAYOUT]: layout }),
});

/** Returns the new older versions, each with the values that this site would have got by an import at that time. */
function stepsOf(
  run: AgainRun,
  { site, type, resolved, ready, base, there }: Omit<VersionedWrite, 'versions'>,
  { added, here }: { added: NewVersions; here: JsonObject },
): Step[] {
  const { object } = resolved;
  const steps: Step[] = [];
  let next: JsonObject = { ...there.values, [versions.LAYOUT]: there.layout };
  for (const { version, index } of [...added.older].reverse()) {
    next = { ...next, ...olderValues(type, version, ready.versions[index] ?? {}) };
    const { [versions.LAYOUT]: layout, ...values } = next;
    const state = { ...there, values, layout: typeof layout === 'string' ? layout : null };
    const options = { kernel: run.again.kernel, site, type, takes: run.again.rule === 'take' };
    const { change } = contentStates.merge(options, { base, there: state, here: resolved });
    const { at, actor, note } = version;
    steps.unshift({
      ...{ at: at ?? object.modified, actor: actor ?? object.owner, note },
      values: withChange(here, change),
    });
  }
  return steps;
}

/** Returns the version of an object before those that are added, which an object without versions gets first. */
async function firstVersion(
  tx: Transaction,
  { object: { oid, owner, created } }: ResolvedNode,
  number: number | undefined,
): Promise<WrittenVersion | undefined> {
  if (number !== undefined) return newestVersion(tx, oid, number);
  await insertVersions(tx, [
    { content: oid, number: 0, at: created, actor: owner, note: '', fields: [], replaced: {} },
  ]);
  return newestVersion(tx, oid);
}

/** Writes versions between the one that was the newest, which is the first of the steps, and the one that the write has recorded, which is the last. */
async function placeVersions(
  tx: Transaction,
  {
    content,
    first,
    recorded,
  }: { content: number; first: WrittenVersion | undefined; recorded: WrittenVersion | undefined },
  steps: readonly Step[],
): Promise<void> {
  const start = recorded ? recorded.number - 1 : (first?.number ?? 0);
  const last = steps.length - 1;
  const rows = steps.map(({ values, at, actor, note }, index): WrittenVersion & { content: number } => {
    const [former, later] = [steps[index - 1]?.values, steps[index + 1]?.values];
    const replaced = later
      ? Object.fromEntries(changedOf(values, later).map((name) => [name, values[name] ?? null]))
      : {};
    const fields = former ? changedOf(former, values) : [];
    return { content, number: start + index, at, actor, note, fields, replaced };
  });
  inOrder(rows);
  const [before, ...added] = rows;
  // A retention may have removed the version before.
  if (first && before)
    await replaceVersion(tx, first.number, {
      ...before,
      ...first,
      replaced: { ...before.replaced, ...first.replaced },
    });
  const final = rows[last];
  if (recorded && final) await replaceVersion(tx, recorded.number, final);
  await insertVersions(tx, recorded ? added.slice(0, -1) : added);
}

/** Names of the values in which two versions differ. */
const changedOf = (one: JsonObject, other: JsonObject): string[] => changedNames({ ...nulls(other), ...one }, other);

const nulls = (values: JsonObject): JsonObject => Object.fromEntries(Object.keys(values).map((name) => [name, null]));

/** Changes times so that no version is older than the one before or younger than the last one: the site may have been edited later than the export. */
function inOrder(rows: WrittenVersion[]): void {
  const end = rows.at(-1);
  for (const [index, row] of rows.entries()) {
    const former = rows[index - 1];
    if (end && row !== end && index > 0 && row.at > end.at) row.at = end.at;
    if (former && row.at < former.at) row.at = former.at;
  }
}
