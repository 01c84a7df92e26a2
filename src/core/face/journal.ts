/**
 * Steps of transactions: the record of each event, from which the list of transactions is made and changes are undone. Notes for the feed
 * of changes.
 */
export { type ChangeNote, FEED_EVENTS, type FeedEvent } from '../journal/change-note.ts';
export {
  type CoreSteps,
  namesInText,
  STEP_KINDS,
  type Step,
  type StepAction,
  type StepDescriptions,
  type StepKinds,
  type StepOf,
  type StoredRedirect,
} from '../journal/steps.ts';
