/** Rows of content, for writes beside the operations on the tree, such as an import. */
export {
  DROP_PERMISSIONS,
  fillEmptyField,
  insertContents,
  type NumberedContent,
  pathsOf,
  replaceBlocks,
  reserveOids,
} from '../content/statements/content-rows.ts';
export { lockRows as lock } from '../content/statements/load-content.ts';
export { updateContentRow as update } from '../content/statements/write-content.ts';
export { reindexNodes as nodesAt } from '../search/statements/catalog.ts';
export { type FieldColumns, joinFields } from '../search/statements/long-fields.ts';
