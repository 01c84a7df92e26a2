import type { ExportedItem } from '@canopy-server/site-reader';
import { contentPath, type Queryable } from '#core';
import type { ImportRun } from '../import-run.ts';
import { type PlannedObject, usableName } from '../planned-object.ts';
import { writeBases } from '../statements/bases.ts';
import { type ImportedState, packState } from './imported-state.ts';

/** The UID of a container in the export; empty for the root. */
export const containerKey = (container: PlannedObject | null): string =>
  container === null || container.parent === null ? '' : container.exported.uid;

/** The id of an object in the export, as far as it can be one here. */
export const nameThere = ({ exported: { path } }: PlannedObject): string =>
  usableName(contentPath.names(path).at(-1) ?? '');

/** Records what an import has written as it is in the export, in the same transaction, for imports of newer exports. */
export async function recordBases(
  tx: Queryable,
  { key, plan }: Pick<ImportRun, 'key' | 'plan'>,
  written: readonly { planned: PlannedObject; item: ExportedItem; state: ImportedState }[],
): Promise<void> {
  const missing = new Set(plan.missing);
  await writeBases(
    tx,
    key,
    written.flatMap(({ planned, item, state }) =>
      missing.has(planned)
        ? []
        : [
            {
              ...{ uid: planned.exported.uid, object: planned.uid, parent: containerKey(planned.parent) },
              ...{ name: nameThere(planned), state: packState(state, item) },
            },
          ],
    ),
  );
}
