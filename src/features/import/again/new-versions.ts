import type { ExportedItem, ExportedVersion } from '@canopy-server/site-reader';
import { presentNumber, type VersionMark } from './imported-state.ts';

/** The versions of an object that the last import did not have. */
export type NewVersions = {
  /** Older ones, the oldest first, with their places among all versions of the object. */
  older: readonly { version: ExportedVersion; index: number }[];
  /** True if the present version is a new one, even when its values are those of the last import. */
  isPresentNew: boolean;
  /** True if there is any. */
  isNew: boolean;
};

const NONE: NewVersions = { older: [], isPresentNew: false, isNew: false };

/**
 * Finds the versions of an object that are new since the last import. Numbers say which ones where that export had versions; else the time
 * of the object at that import does. Versions from before the first import of an object, which that one did not have, are not new.
 */
export function newVersions(
  { versions, modified }: Pick<ExportedItem, 'versions' | 'modified'>,
  mark: VersionMark | undefined,
): NewVersions {
  const number = presentNumber({ versions });
  if (mark === undefined || number === null) return NONE;
  const last = mark.at === null ? undefined : new Date(mark.at);
  const isLater = (version: number, at: Date | null): boolean => {
    if (mark.number !== null) return version > mark.number;
    return last !== undefined && at !== null && at > last;
  };
  const older = versions.flatMap((version, index) => (isLater(version.number, version.at) ? [{ version, index }] : []));
  const isPresentNew = older.length > 0 || isLater(number, modified);
  return { older, isPresentNew, isNew: isPresentNew };
}
