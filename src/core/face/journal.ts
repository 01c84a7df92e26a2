/** Steps of transactions: the record of each event, from which the list of transactions is made and changes are undone. */
export {
  type CoreSteps,
  namesInText,
  STEP_KINDS,
  type Step,
  type StepAction,
  type StepDescriptions,
  type StepKinds,
  type StepOf,
} from '../journal/steps.ts';
