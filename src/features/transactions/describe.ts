import type { Step, StepAction } from './steps.ts';

type StepOf<A extends StepAction> = Extract<Step, { action: A }>;

/** Names of fields in a description. */
const MAX_NAMES = 5;
/** Characters of an id in a description. */
const MAX_ID = 200;

const names = (all: readonly string[]): string =>
  all.length > MAX_NAMES ? `${all.slice(0, MAX_NAMES).join(', ')}, …` : all.join(', ');

/** A change of something else than content, such as `Group editors edited: roles`. */
function describeSite({ part, id, change, names: changed = [] }: StepOf<'site'>['data']): string {
  const subject = `${part.charAt(0).toUpperCase()}${part.slice(1)} ${id.slice(0, MAX_ID)}`.trimEnd();
  return changed.length > 0 ? `${subject} ${change}: ${names(changed)}` : `${subject} ${change}`;
}

/** What a step has done, in English as in Plone: clients look for words in it. */
function describeStep(step: Step): string {
  switch (step.action) {
    case 'created':
      return 'Created';
    case 'copied':
      return `Copied from ${step.data.source}`;
    case 'restored':
      return 'Restored from the recycle bin';
    case 'deleted':
      return 'Deleted';
    case 'edited':
      return step.data.fields.length > 0 ? `Edited: ${names(step.data.fields)}` : 'Saved as a version';
    case 'moved':
      return `Moved from ${step.data.source}`;
    case 'workflow':
      return `Workflow: ${step.data.transition}, from ${step.data.from} to ${step.data.to}`;
    case 'shared':
      return 'Sharing changed';
    case 'ordered':
      return 'Order of the content changed';
    case 'translated':
      return step.data.after === null ? 'No longer a translation' : 'Linked as a translation';
    case 'commented':
      return `Comment ${step.data.comment}`;
    case 'settings':
      return `Settings changed: ${names(step.data.panels)}`;
    case 'user':
      return `User ${step.data.id} ${step.data.change}`;
    case 'site':
      return describeSite(step.data);
  }
}

/** What a transaction has done, by its first step. `undoes` are the transactions that it undoes. */
export function describeSteps([first, ...more]: readonly Step[], undoes: readonly number[]): string {
  if (undoes.length > 0) return `Undo of ${undoes.length === 1 ? 'transaction' : 'transactions'} ${undoes.join(', ')}`;
  if (!first) return '';
  return more.length > 0 ? `${describeStep(first)}, and ${more.length} more` : describeStep(first);
}
