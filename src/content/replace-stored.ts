import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../security/caller.ts';
import type { Kernel } from '../site/kernel.ts';
import type { Site } from '../site/site.ts';
import type { Located } from '../storage/content-row.ts';
import type { Transaction } from '../storage/database.ts';
import { updateContent as writeChange } from '../storage/statements/update-content.ts';
import { joinColumns, splitColumns } from './column-values.ts';

/**
 * Sets fields of a held object to stored values that have been checked, with the event that versions and indexes are
 * made by. Answers the names of those that really change; without any nothing happens.
 */
export async function replaceStored(
  kernel: Kernel,
  tx: Transaction,
  {
    site,
    located: { object },
    caller,
    values,
    note,
  }: { site: Site; located: Located; caller: Caller; values: Record<string, unknown>; note: string },
): Promise<string[]> {
  const current = joinColumns(object);
  const changed = Object.keys(values).filter((name) => !isDeepStrictEqual(values[name] ?? null, current[name] ?? null));
  if (changed.length === 0) return [];
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]));
  const { columns, fields } = splitColumns(pick(values));
  await writeChange(tx, object.oid, { ...columns, fields: { ...object.fields, ...fields }, modified: new Date() });
  await kernel.events.emit(
    'content.modified',
    { oid: object.oid, fields: changed, before: pick(current), site, note },
    { tx, caller },
  );
  return changed;
}
