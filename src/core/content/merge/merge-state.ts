import { isDeepStrictEqual } from 'node:util';
import { ValidationFailed } from '../../../lib/errors.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json-object.ts';
import type { Preferred } from '../../../lib/merge/merge-text.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { ResolvedNode } from '../../types/content-row.ts';
import type { ContentType } from '../../types/content-type.ts';
import { type Change, MergeConflict, mergeChange } from './merge-change.ts';
import { type ObjectState, stateOf } from './object-state.ts';

/** A part of an object that both sides have changed: a field, a block of a field or a setting, with the values of both sides. */
export type StateConflict = { part: string; here: unknown; there: unknown; block?: string };

/** The changes of an object of this site, with its conflicts. */
export type MergedState = { change: Change; settings: JsonObject; conflicts: StateConflict[] };

/** The states of an object: the common base, the state there, and the object here. Without a base every difference is a conflict. */
export type StateSides = { base: ObjectState | undefined; there: ObjectState; here: ResolvedNode };

type MergeOptions = { kernel: Pick<Kernel, 'fieldKinds'>; site: Site; type: ContentType; takes: boolean };

const EMPTY: ObjectState = { type: '', values: {}, layout: null, settings: {} };

const differs = (one: unknown, other: unknown): boolean => !isDeepStrictEqual(one ?? null, other ?? null);

/** The values of one side that differ from those of the other one. Names that the side lacks count as removed. */
function changedValues(side: JsonObject, from: JsonObject): JsonObject {
  const names = new Set([...Object.keys(side), ...Object.keys(from)]);
  return Object.fromEntries(
    [...names].filter((name) => differs(side[name], from[name])).map((name) => [name, side[name] ?? null]),
  );
}

/** The object as the base has it. */
function asBase({ object, ancestors }: ResolvedNode, { values, layout }: ObjectState): ResolvedNode {
  const { effective, expires, language, ...fields } = values;
  const dateOf = (value: unknown) => (typeof value === 'string' ? new Date(value) : null);
  const columns = { effective: dateOf(effective), expires: dateOf(expires) };
  return {
    object: { ...object, ...columns, fields, layout, language: typeof language === 'string' ? language : null },
    ancestors,
  };
}

/** Finds a block of any depth. */
function findBlock(blocks: unknown, id: string, depth = 0): unknown {
  if (!isJsonObject(blocks) || depth > 20) return undefined;
  if (Object.hasOwn(blocks, id)) return blocks[id];
  for (const block of Object.values(blocks)) {
    if (!isJsonObject(block)) continue;
    for (const holder of [block, block.data]) {
      const found = isJsonObject(holder) ? findBlock(holder.blocks, id, depth + 1) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** A conflict with both sides, without values that are never served. */
function conflictOf(
  type: ContentType,
  { field, block }: { field: string; block?: string },
  { here, there }: { here: JsonObject; there: JsonObject },
): StateConflict {
  if (type.fieldByName.get(field)?.writeOnly) return { part: field, here: 'not shown', there: 'not shown' };
  if (block === undefined) return { part: field, here: here[field] ?? null, there: there[field] ?? null };
  const at = (values: JsonObject) => findBlock(values.blocks, block) ?? null;
  return { part: field, block, here: at(here), there: at(there) };
}

/** Merges fields and the layout by the kinds of the fields: blocks one by one, texts by words. */
function mergeValues(
  { kernel, site, type, takes }: MergeOptions,
  { base, there, here }: { base: ObjectState; there: ObjectState; here: ResolvedNode },
): Pick<MergedState, 'change' | 'conflicts'> {
  const present = stateOf(here.object);
  const layout = there.layout === base.layout ? undefined : there.layout;
  const change: Change = { values: changedValues(there.values, base.values), layout };
  const names = Object.keys(change.values);
  if (names.length === 0 && layout === undefined) return { change, conflicts: [] };
  const isUntouched = present.layout === base.layout && !differs(present.values, base.values);
  if (isUntouched) return { change, conflicts: [] };
  const merge = (prefer: Preferred | undefined) =>
    mergeChange(kernel, { site, type, base: asBase(here, base), present: here, change, prefer });
  const sides = {
    here: { ...present.values, layout: present.layout },
    there: { ...there.values, layout: there.layout },
  };
  try {
    return { change: merge(undefined), conflicts: [] };
  } catch (error) {
    const parts =
      error instanceof MergeConflict
        ? error.parts
        : error instanceof ValidationFailed
          ? names.map((field) => ({ field }))
          : undefined;
    if (!parts) throw error;
    const conflicts = parts.map((part) => conflictOf(type, part, sides));
    return { change: preferred(merge, { takes, change }), conflicts };
  }
}

/** The merged change by the rule. If a merged value does not fit its field, the whole change of one side counts. */
function preferred(
  merge: (prefer: Preferred) => Change,
  { takes, change }: { takes: boolean; change: Change },
): Change {
  try {
    return merge(takes ? 'mine' : 'theirs');
  } catch (error) {
    if (!(error instanceof ValidationFailed)) throw error;
    return takes ? change : { values: {}, layout: undefined };
  }
}

/** Merges settings part by part. */
export function mergeSettings(
  takes: boolean,
  { base, there, here }: { base: JsonObject; there: JsonObject; here: JsonObject },
): Pick<MergedState, 'settings' | 'conflicts'> {
  const settings: JsonObject = {};
  const conflicts: StateConflict[] = [];
  for (const part of new Set([...Object.keys(base), ...Object.keys(there)])) {
    if (!differs(there[part], base[part]) || !differs(there[part], here[part])) continue;
    const isContested = differs(here[part], base[part]);
    if (isContested) conflicts.push({ part, here: here[part] ?? null, there: there[part] ?? null });
    if (!isContested || takes) settings[part] = there[part] ?? null;
  }
  return { settings, conflicts };
}

/** Merges the state there with the changes of the base by this site. With `takes` the other side counts when both have changed the same part. */
export function mergeStates(options: MergeOptions, { base = EMPTY, there, here }: StateSides): MergedState {
  const values = mergeValues(options, { base, there, here });
  const present = stateOf(here.object).settings;
  const settings = mergeSettings(options.takes, { base: base.settings, there: there.settings, here: present });
  const conflicts = [...values.conflicts, ...settings.conflicts];
  if (base !== EMPTY && there.type !== base.type)
    conflicts.push({ part: '@type', here: here.object.type, there: there.type });
  return { change: values.change, settings: settings.settings, conflicts };
}
