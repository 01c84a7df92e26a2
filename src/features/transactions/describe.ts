import type { Step } from './steps.ts';

/** Names of fields in a description. */
const MAX_NAMES = 5;

const names = (all: readonly string[]): string =>
  all.length > MAX_NAMES ? `${all.slice(0, MAX_NAMES).join(', ')}, …` : all.join(', ');

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
  }
}

/** What a transaction has done, by its first step. `undoes` are the transactions that it undoes. */
export function describeSteps([first, ...more]: readonly Step[], undoes: readonly number[]): string {
  if (undoes.length > 0) return `Undo of ${undoes.length === 1 ? 'transaction' : 'transactions'} ${undoes.join(', ')}`;
  if (!first) return '';
  return more.length > 0 ? `${describeStep(first)}, and ${more.length} more` : describeStep(first);
}
