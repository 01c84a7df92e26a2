import { isDeepStrictEqual } from 'node:util';
import type { Kernel } from '../site/kernel.ts';
import type { Transaction } from '../storage/database.ts';
import { joinColumns } from './column-values.ts';
import { type StoredChange, writeChange } from './write-change.ts';

/**
 * Sets fields of a held object to stored values that have been checked and may be those that it has. Answers the names of
 * those that really change; without any nothing happens.
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
