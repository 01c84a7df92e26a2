/** States of content, and their merge: the common base, the state on another site, and the object of this site. */
export {
  type MergedState as Merged,
  mergeSettings,
  mergeStates as merge,
  type StateConflict,
} from '../content/merge/merge-state.ts';
export {
  areSame,
  columnsOf,
  entriesOf,
  type ObjectState as State,
  stateOf as of,
} from '../content/merge/object-state.ts';
