import { type Kernel, kernelWithin } from '#core';
import { isJsonObject } from '#lib/json-object';
import { setupFiles } from '../setup/setup-files.ts';
import type { SetupForm } from './places/place.ts';

/** The file with groups, which have no order. */
const GROUPS = 'groups.json';

const idOf = (piece: unknown): string => (isJsonObject(piece) && typeof piece.id === 'string' ? piece.id : '');

/** Reads the set-up of a site as the files of a profile: the same site gives the same files. */
export async function readSetup(kernel: Kernel): Promise<SetupForm> {
  const { files, notes } = await kernel.db.transaction((tx) => setupFiles(kernelWithin(kernel, tx), tx, 'Set-up'));
  const groups = files.get(GROUPS);
  if (Array.isArray(groups))
    files.set(
      GROUPS,
      [...groups].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)),
    );
  return { files, notes };
}
