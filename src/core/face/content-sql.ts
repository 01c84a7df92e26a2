/** Parts of statements about content: its columns under the names of the domain, places in the tree, and conditions for its viewers. */
export {
  ALL_FIELDS,
  AT_OR_BELOW,
  LISTED_COLUMNS,
  NODE_COLUMNS,
  OBJECT_COLUMNS,
} from '../search/statements/fragments.ts';
export { fieldsText, storedRow } from '../search/statements/long-fields.ts';
export { type Viewers, type ViewRule, viewed } from '../search/statements/view-rule.ts';
