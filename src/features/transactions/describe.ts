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
    case 'checkedIn':
      return `Checked in into ${step.data.into}`;
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

/** What has done steps where that was not the user, such as `2 of 3 by content rule 4`. */
function describeAgents(steps: readonly Step[]): string {
  const counts = new Map<string, number>();
  for (const { agent } of steps) {
    if (!agent) continue;
    const name = `${agent.kind.replaceAll('-', ' ')} ${agent.id}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return '';
  const shares = [...counts].map(([name, count]) =>
    count === steps.length ? `by ${name}` : `${count} of ${steps.length} by ${name}`,
  );
  return ` (${names(shares)})`;
}

/** What a transaction has done, by its first step. `undoes` are the transactions that it undoes. */
export function describeSteps(steps: readonly Step[], undoes: readonly number[]): string {
  if (undoes.length > 0) return `Undo of ${undoes.length === 1 ? 'transaction' : 'transactions'} ${undoes.join(', ')}`;
  const [first, ...more] = steps;
  if (!first) return '';
  return `${describeStep(first)}${more.length > 0 ? `, and ${more.length} more` : ''}${describeAgents(steps)}`;
}
