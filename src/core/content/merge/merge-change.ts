import { isDeepStrictEqual } from 'node:util';
import type { Queryable } from '../../../database/database.ts';
import { Conflict, ValidationFailed } from '../../../lib/errors.ts';
import type { Preferred } from '../../../lib/merge/merge-text.ts';
import type { Site } from '../../configuration/site/site.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Caller } from '../../security/caller.ts';
import { ACCESS_VERSIONS, VIEW } from '../../security/permissions.ts';
import type { ContentObject, ResolvedNode } from '../../types/content-row.ts';
import type { ContentType } from '../../types/content-type.ts';
import { FieldError, NestedFieldError, NO_REFERENCES } from '../../types/field-kind.ts';
import { type BaseState, isPresent, loadBase } from '../base-state.ts';
import { wholeDays } from '../event-times.ts';
import { requirePermission } from '../permissions.ts';
import { checkInvariants, joinColumns, splitColumns } from '../values.ts';
import { type ConflictingPart, mergeFields } from './merge-fields.ts';

/** The base state of a change, and the side that counts when both sides changed the same part; without a preferred side this is a conflict. */
export type MergeRequest = { base: BaseState; prefer: Preferred | undefined };

/** The change of one side: stored values that differ from the base state, and the layout if it differs. */
export type Change = { values: Record<string, unknown>; layout: string | null | undefined };

/** The error when both sides changed the same part. `withConflicts` makes the response from it. */
export class MergeConflict extends Conflict {
  readonly base: ResolvedNode;
  readonly mine: ResolvedNode;
  readonly theirs: ResolvedNode;
  readonly merged: ResolvedNode;
  readonly parts: readonly ConflictingPart[];
  /** Names of the parts that this side changes. */
  readonly names: readonly string[];

  constructor(
    sides: { base: ResolvedNode; mine: ResolvedNode; theirs: ResolvedNode; merged: ResolvedNode },
    { parts, names }: { parts: readonly ConflictingPart[]; names: readonly string[] },
  ) {
    super('Others have changed the same since you loaded it. Choose between both, and send the change again.');
    this.base = sides.base;
    this.mine = sides.mine;
    this.theirs = sides.theirs;
    this.merged = sides.merged;
    this.parts = parts;
    this.names = names;
  }
}

/**
 * Loads the base state of a change: the object itself if it has not changed since. Throws Conflict if the state is not stored; Unauthorized or
 * Forbidden for callers who may not read former versions.
 */
export async function requireState(
  db: Queryable,
  { site, caller, resolved, base }: { site: Site; caller: Caller; resolved: ResolvedNode; base: BaseState },
): Promise<ResolvedNode> {
  if (isPresent(base, resolved)) return resolved;
  for (const permission of [VIEW, ACCESS_VERSIONS]) requirePermission(site, caller, resolved, permission);
  return loadBase(db, { site, resolved, base });
}

/** An object with other values. */
export function withChange({ object, ancestors }: ResolvedNode, { values, layout }: Change): ResolvedNode {
  const { columns, fields } = splitColumns(values);
  const changed: ContentObject = {
    ...object,
    ...columns,
    fields: { ...object.fields, ...fields },
    layout: layout === undefined ? object.layout : layout,
  };
  return { object: changed, ancestors };
}

/** Throws ValidationFailed for merged texts and lists that do not fit their fields, although the values of each side do. */
function requireFitting(
  { fieldKinds }: Pick<Kernel, 'fieldKinds'>,
  type: ContentType,
  { values, mine, current }: Record<'values' | 'mine' | 'current', Record<string, unknown>>,
): void {
  const problems = Object.entries(values).flatMap(([name, value]) => {
    const field = type.fieldByName.get(name);
    const kind = field && fieldKinds.of(field);
    if (!field || !kind?.limits || value === null || isDeepStrictEqual(value, mine[name])) return [];
    try {
      kind.deserialize(value, field, { ...NO_REFERENCES, current: current[name] });
      return [];
    } catch (error) {
      if (error instanceof NestedFieldError) return error.under(name);
      if (error instanceof FieldError) return [{ field: name, message: error.message }];
      throw error;
    }
  });
  problems.push(...checkInvariants(type, { ...current, ...values }, new Set(Object.keys(values))));
  if (problems.length > 0) throw new ValidationFailed(problems);
}

/**
 * Merges a change of the state `base` with the changes by others since then (`present`); returns the change of the present state. Throws
 * MergeConflict when both sides changed the same part and no side is preferred; ValidationFailed for values that contradict each other.
 */
export function mergeChange(
  kernel: Pick<Kernel, 'fieldKinds'>,
  {
    site,
    type,
    base,
    present,
    change,
    prefer,
  }: {
    site: Site;
    type: ContentType;
    base: ResolvedNode;
    present: ResolvedNode;
    change: Change;
    prefer: Preferred | undefined;
  },
): Change {
  const current = joinColumns(present.object);
  const sides = { base: joinColumns(base.object), mine: change.values, theirs: current };
  const { values, conflicts } = mergeFields(kernel.fieldKinds, type, sides, prefer ?? 'theirs');
  const { layout: before } = base.object;
  const { layout: now } = present.object;
  const differs = change.layout !== undefined && change.layout !== before && change.layout !== now;
  const isContested = differs && now !== before;
  if (isContested) conflicts.push({ field: 'layout' });
  const layout = differs && !(isContested && prefer !== 'mine') ? change.layout : undefined;
  if (conflicts.length > 0 && prefer === undefined) {
    const names = [...Object.keys(change.values), ...(change.layout === undefined ? [] : ['layout'])];
    throw new MergeConflict(
      {
        base,
        mine: withChange(base, change),
        theirs: present,
        merged: withChange(present, { values, layout }),
      },
      { parts: conflicts, names },
    );
  }
  const whole = { ...values, ...wholeDays(site, type, { changed: values, current }) };
  const differing = Object.entries(whole).filter(
    ([name, value]) => !isDeepStrictEqual(value ?? null, current[name] ?? null),
  );
  const merged = Object.fromEntries(differing);
  requireFitting(kernel, type, { values: merged, mine: change.values, current });
  return { values: merged, layout };
}
