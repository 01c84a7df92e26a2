import {
  type Caller,
  type Kernel,
  pieceUse,
  type Site,
  stateOf,
  type Transaction,
  type WorkflowDefinition,
  workflowHistory,
} from '#core';
import type { FieldProblem } from '#lib/errors';
import { moveRecycledStates } from '../recycle-bin/statements/entries.ts';
import { noState } from './workflow-rules.ts';

/** New states by old states, as ids, with `''` for content without a state. */
export type StateMapping = Readonly<Record<string, string>>;

/** The new workflow of content of a type, with the mapping of states. */
export type WorkflowChoice = { type: string; workflow: WorkflowDefinition | null; mapping: StateMapping };

/** The comment in the history of content whose workflow was replaced. */
const COMMENT = 'The workflow is another one.';

/** Reports states of a mapping that the workflow does not have. */
function* unknownTargets({ workflow, mapping }: WorkflowChoice): Generator<FieldProblem> {
  for (const [from, to] of Object.entries(mapping))
    if (!workflow || !Object.hasOwn(workflow.states, to))
      yield { field: `state_mapping.${from}`, message: noState(to) };
}

/** The new state of content: the mapped state, else the same state if the workflow has it, or the initial state for content without a state. */
function targetOf({ workflow, mapping }: WorkflowChoice, state: string | undefined): string | undefined {
  const mapped = Object.hasOwn(mapping, state ?? '') ? mapping[state ?? ''] : undefined;
  if (mapped !== undefined || !workflow) return mapped;
  if (state === undefined) return workflow.initial_state;
  return Object.hasOwn(workflow.states, state) ? state : undefined;
}

/**
 * Returns the moves of all content of types, also in the recycle bin, from its states to the states of other workflows; and the missing mappings,
 * because each state with content needs a state in the new workflow. `site` is the site before the change.
 */
export async function planStates(
  tx: Transaction,
  site: Site,
  choices: readonly WorkflowChoice[],
): Promise<{ moves: workflowHistory.StateMove[]; problems: FieldProblem[] }> {
  const problems = choices.flatMap((choice) => [...unknownTargets(choice)]);
  const moves: workflowHistory.StateMove[] = [];
  const byType = new Map(choices.map((choice) => [choice.type, choice]));
  for (const { type, state: stored, count } of await pieceUse.statesInUse(tx, [...byType.keys()])) {
    const choice = byType.get(type);
    if (!choice) continue;
    const state = stateOf(site, { type, reviewState: stored })?.id;
    const target = targetOf(choice, state);
    if (choice.workflow && target === undefined)
      problems.push({
        field: `state_mapping.${state}`,
        message: `Say which state of "${choice.workflow.id}" takes the place of "${state}": content of the type "${type}" is in it (${count}).`,
      });
    moves.push({ type, from: stored, to: target ?? null, workflow: choice.workflow?.id ?? null });
  }
  return { moves, problems };
}

/** Brings content to its new states, with an entry in the history of each object whose state changes. */
export async function applyStates(
  { kernel, tx, caller }: { kernel: Kernel; tx: Transaction; caller: Caller },
  moves: readonly workflowHistory.StateMove[],
): Promise<void> {
  const changed = moves.filter(({ from, to }) => from !== to);
  if (changed.length === 0) return;
  await kernel.events.emit('states.moving', { moves: changed }, { tx, caller });
  await workflowHistory.moveStates(tx, changed, { actor: caller.id ?? '', comments: COMMENT, at: new Date() });
  await moveRecycledStates(tx, changed);
}
