import fc from 'fast-check';
import { transitionContent } from '../../../src/core/content/transition-content.ts';
import type { Node, State } from '../model.ts';
import { ADMIN } from '../people.ts';
import { attempt, steps, which } from './step.ts';

type Transition = 'publish' | 'submit' | 'retract' | 'reject';

/** The transitions of the workflow that leave each state, and where they lead. */
const LEADS: Record<Transition, { to: State; from: State[] }> = {
  publish: { to: 'published', from: ['private', 'pending'] },
  submit: { to: 'pending', from: ['private'] },
  retract: { to: 'private', from: ['pending', 'published'] },
  reject: { to: 'private', from: ['pending', 'published'] },
};

function apply(node: Node, transition: Transition, withChildren: boolean): void {
  const { from, to } = LEADS[transition];
  if (from.includes(node.state)) {
    node.state = to;
    node.effective ??= undefined;
  }
  if (withChildren) for (const child of node.children) apply(child, transition, true);
}

/** Moves an object along its workflow, and everything below that has the transition. */
export const transitions = steps(
  'transition',
  fc.record({
    which,
    transition: fc.constantFrom<Transition[]>('publish', 'submit', 'retract', 'reject'),
    children: fc.boolean(),
  }),
  async ({ kernel, tree }, { which: number, transition, children }) => {
    const node = tree.pick(number);
    const { from, to } = LEADS[transition];
    const refusal = node.state === to || from.includes(node.state) ? undefined : 400;
    const request = { caller: ADMIN, path: tree.path(node), transition, includeChildren: children };
    await attempt(refusal, () => transitionContent(kernel, request));
    if (refusal === undefined) apply(node, transition, children);
  },
);
