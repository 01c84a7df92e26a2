/** Values of the fields of content: how they are parsed, checked, stored and changed. */
export { checkJson } from '../content/fields/check-json.ts';
export { rejectNewTags } from '../content/new-tags.ts';
export { parseChange as parse } from '../content/parse-change.ts';
export { prepareHtml } from '../content/prepare-html.ts';
export { startingValue } from '../content/starting-value.ts';
export {
  checkInvariants as problems,
  joinColumns as of,
  splitColumns as split,
} from '../content/values.ts';
export { replaceStored as replace, writeChange as write } from '../content/write-change.ts';
export { attempt, defaultOf, into, isWritable, parseFields, parseSent } from '../types/field-input.ts';
export { isEmptyValue as isEmpty } from '../types/field-kind.ts';
