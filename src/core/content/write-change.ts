import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../database/database.ts';
import type { Site } from '../configuration/site/site.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Caller } from '../security/caller.ts';
import type { ContentChange, ContentObject, TreeNode } from '../types/content-row.ts';
import { updateContentRow } from './statements/write-content.ts';
import { joinColumns, splitColumns } from './values.ts';
import { LAYOUT } from './versions.ts';
import { changedObject } from './written-object.ts';

/** Change of a locked object. */
export type StoredChange = {
  site: Site;
  object: ContentObject;
  /** Its containers, the nearest first, if they are known and locked. */
  ancestors?: readonly TreeNode[];
  caller: Caller;
  /** New stored values by name, in the form of `joinColumns`: checked, and different from the present values. */
  values: Record<string, unknown>;
  /** The new layout; absent when it stays. */
  layout?: string | null | undefined;
  /** Note of the version. */
  note?: string | undefined;
  /** The time of a change that was made elsewhere; now unless given. */
  at?: Date | undefined;
};

/** The time of a change, which must differ from the time of the previous change, because it names the state of the object. */
function timeOfChange({ modified }: ContentObject, at: Date | undefined): Date {
  const time = at?.getTime() ?? Date.now();
  return new Date(time === modified.getTime() ? time + 1 : time);
}

/**
 * Gives a held object other stored values, with the event that versions and indexes are made by. Nothing happens when
 * nothing is to change. Returns the time of its last change.
 */
export async function writeChange(
  kernel: Pick<Kernel, 'events' | 'hooks'>,
  tx: Transaction,
  { site, object, ancestors, caller, values, layout, note = '', at }: StoredChange,
): Promise<Date> {
  const names = Object.keys(values);
  const present = joinColumns(object);
  const before = Object.fromEntries(names.map((name) => [name, present[name] ?? null]));
  const { columns, fields } = splitColumns(values);
  const change: ContentChange = { ...columns };
  for (const hook of kernel.hooks.changing) Object.assign(change, await hook(tx, object, columns));
  if (Object.keys(fields).length > 0) change.fields = { ...object.fields, ...fields };
  if (layout !== undefined) {
    change.layout = layout;
    before[LAYOUT] = object.layout;
  }
  const changed = Object.keys(before);
  if (changed.length === 0) return object.modified;
  const modified = timeOfChange(object, at);
  const whole: ContentChange = { ...change, modified };
  await updateContentRow(tx, object.oid, whole, names);
  const written = ancestors && changedObject(object, whole);
  await kernel.events.emit(
    'content.modified',
    {
      ...{ oid: object.oid, fields: changed, before, site, note },
      ...(ancestors && written && { written: { object: written, ancestors: [...ancestors] } }),
    },
    { tx, caller },
  );
  return modified;
}

/**
 * Sets fields of a held object to checked stored values, which may equal the present ones. Returns the names of the fields that really change;
 * nothing happens without a change.
 */
export async function replaceStored(
  kernel: Pick<Kernel, 'events' | 'hooks'>,
  tx: Transaction,
  { values, ...rest }: Omit<StoredChange, 'layout'>,
): Promise<string[]> {
  const current = joinColumns(rest.object);
  const changed = Object.entries(values).filter(
    ([name, value]) => !isDeepStrictEqual(value ?? null, current[name] ?? null),
  );
  await writeChange(kernel, tx, { ...rest, values: Object.fromEntries(changed) });
  return changed.map(([name]) => name);
}
