import type { ImportRun } from './import-run.ts';
import type { LoadedItem } from './load-item.ts';
import { type ItemValues, readItemValues } from './read-item-values.ts';
import type { ReadyItem } from './write-batch.ts';

/**
 * The stored values of objects. References that the export does not know are looked up in the database with one
 * statement for all of them; only objects that have such are read twice.
 */
export async function readValuesOf(
  { kernel, links, scope }: ImportRun,
  batch: readonly LoadedItem[],
): Promise<ReadyItem[]> {
  const read = (loaded: LoadedItem): { values: ItemValues; misses: Set<string> } => {
    const misses = new Set<string>();
    return { values: readItemValues(kernel.fieldKinds, loaded, links.resolver(misses)), misses };
  };
  const first = batch.map((loaded) => ({ loaded, ...read(loaded) }));
  const found = await links.lookUp(scope.db, new Set(first.flatMap(({ misses }) => [...misses])));
  return first.map(({ loaded, values, misses }) => ({
    loaded,
    ...(found && misses.size > 0 ? read(loaded).values : values),
  }));
}
