/** Parts of statements about content: its columns under the names of the domain, places in the tree, and conditions for its viewers. */
export {
  AT_OR_BELOW,
  LISTED_COLUMNS,
  NODE_COLUMNS,
  OBJECT_COLUMNS,
  UNPACKED,
} from '../search/statements/fragments.ts';
export { type Viewers, type ViewRule, viewed } from '../search/statements/view-rule.ts';
