/** States of content, and their merge: a former one, one of another place, and the object of the site. */
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
