/** Paths in the content tree. */
export { isRoot } from '../content/locate.ts';
export { MAX_PATH_BYTES as MAX_BYTES } from '../content/name-chooser.ts';
export {
  childPath as child,
  isAtOrBelow,
  namesOf as names,
  parentPath as parent,
  pathsTo as to,
  ROOT,
} from '../content/tree-path.ts';
