import type { ExportedAddress } from '@canopy-server/site-reader';
import type { ImportedObject } from './statements/progress.ts';
import { cleanTexts } from './storable-text.ts';

/**
 * The state of an object: `create` is still to be written, `created` has been written; `done` was written by an earlier
 * import; `present` was on the site without the import; `gone` was imported and removed here since; `failed` could not be imported.
 */
type ImportState = 'create' | 'created' | 'done' | 'present' | 'gone' | 'failed';

/** An object of the export, and where it is or will be on this site. */
export type PlannedObject = {
  exported: ExportedAddress;
  /** Null for the root. */
  parent: PlannedObject | null;
  uid: string;
  path: string;
  state: ImportState;
  /** Null until it is written. */
  oid: number | null;
  translationGroup: string | null;
  /** Among its siblings, in the order of the export. */
  ordinal: number;
  children: number;
};

/** All objects of an export with their states, before anything is written. */
export type ImportPlan = {
  root: PlannedObject;
  /** By path and by UID in the export. */
  byPath: ReadonlyMap<string, PlannedObject>;
  byUid: ReadonlyMap<string, PlannedObject>;
  /** Containers that objects of the export lie in, but that are neither in it nor on the site. */
  missing: readonly PlannedObject[];
};

/** The objects of earlier imports: those that are there, and the UIDs here of those that were removed, by UID in the export. */
export type EarlierObjects = {
  done: readonly ImportedObject[];
  gone: ReadonlyMap<string, string>;
  /** UIDs of containers that the export does not have, but an earlier one had, by path. */
  implied: ReadonlyMap<string, string>;
};

/** Returns a valid name for content: slashes and control characters are replaced. */
export const usableName = (name: string): string => cleanTexts(name).replace(/[/\p{Cc}]/gu, '-');
