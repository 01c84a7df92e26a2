/** The workflow history of content, and states without a transition. */
export {
  addHistory as add,
  type HistoryEntry as Entry,
  moveStates,
  type StateMove,
} from '../content/statements/workflow-history.ts';
export { MAX_COMMENT_LENGTH } from '../content/transition-content.ts';
