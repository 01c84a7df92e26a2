/** The workflow history of content, the transitions that a caller may make, and states without a transition. */
export {
  addHistory as add,
  type HistoryEntry as Entry,
  loadHistory as list,
  moveStates,
  type StateMove,
  settleStates,
} from '../content/statements/workflow-history.ts';
export { availableTransitions as available, MAX_COMMENT_LENGTH } from '../content/transition-content.ts';
