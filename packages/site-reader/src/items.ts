import path from 'node:path';
import type { ExportedItem } from './model.ts';

/** The parts of an object that every reader knows. */
type ItemBase = Pick<ExportedItem, 'uid' | 'path' | 'type' | 'fields'> & Partial<ExportedItem>;

/** Returns the path of an object's container; null for the root. */
export function parentPathOf(contentPath: string): string | null {
  return contentPath === '/' ? null : path.posix.dirname(contentPath);
}

/** Makes an object of its known parts: the others are empty. */
export const makeItem = (known: ItemBase): ExportedItem => ({
  id: known.path === '/' ? '' : path.posix.basename(known.path),
  parentPath: parentPathOf(known.path),
  position: null,
  given: [],
  terms: {},
  created: null,
  modified: null,
  effective: null,
  expires: null,
  reviewState: null,
  workflowHistory: [],
  owner: null,
  creators: [],
  language: null,
  layout: null,
  isFolderish: false,
  localRoles: {},
  blockLocalRoles: false,
  localPermissions: {},
  files: [],
  constrains: null,
  defaultPage: null,
  typeTitle: null,
  versions: [],
  change: { note: '', actor: null },
  ...known,
});

/** Sequences of a source that has nothing of a kind. */
export async function* nothing(): AsyncGenerator<never> {}
