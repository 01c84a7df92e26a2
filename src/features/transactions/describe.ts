import { journal } from '#core';

const textOf = <A extends journal.StepAction>(kinds: journal.StepKinds, { action, data }: journal.StepOf<A>): string =>
  kinds.of(action).text(data);

/** The agents of the steps that the user has not made, such as `2 of 3 by content rule 4`. */
function describeAgents(steps: readonly journal.Step[]): string {
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
  return ` (${journal.namesInText(shares)})`;
}

/** Describes a transaction by its first step. `undoes` are the numbers of the transactions that the transaction undoes. */
export function describeSteps(
  kinds: journal.StepKinds,
  steps: readonly journal.Step[],
  undoes: readonly number[],
): string {
  if (undoes.length > 0) return `Undo of ${undoes.length === 1 ? 'transaction' : 'transactions'} ${undoes.join(', ')}`;
  const [first, ...more] = steps;
  if (!first) return '';
  return `${textOf(kinds, first)}${more.length > 0 ? `, and ${more.length} more` : ''}${describeAgents(steps)}`;
}
