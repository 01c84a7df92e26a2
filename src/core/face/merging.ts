/** Merges a change with later changes by others, and makes the response to a conflict. */

export type { Preferred } from '../../lib/merge/merge-text.ts';
export { stateMark as markOf } from '../content/base-state.ts';
export { type Change, mergeChange, withChange } from '../content/merge/merge-change.ts';
export { CONFLICT_PARAMETER, ContentConflict, withConflicts } from '../services/content/merge-conflict.ts';
