import { has, locate, MANAGE_PORTAL, stateOf, transitionContent } from '#core';
import { BadRequest } from '#lib/errors';
import type { ApplyRun } from './apply-run.ts';

type Transitions = ReadonlyMap<string, readonly { id: string; to: string }[]>;

/** The shortest way of transitions from one state to another; undefined for none. */
function wayBetween(transitions: Transitions, from: string, to: string): string[] | undefined {
  const ways = new Map<string, string[]>([[from, []]]);
  for (const [state, way] of ways) {
    if (state === to) return way;
    for (const next of transitions.get(state) ?? []) if (!ways.has(next.to)) ways.set(next.to, [...way, next.id]);
  }
  return undefined;
}

/**
 * Brings an object to a state by the transitions of its workflow, each with the caller's rights, so that histories and rules follow.
 * Throws BadRequest where no way leads there.
 */
export async function moveToState(run: ApplyRun, path: string, wanted: unknown): Promise<void> {
  const { kernel, caller } = run;
  const { site, resolved } = await locate(kernel, path);
  if (!resolved) return;
  const now = stateOf(site, resolved.object);
  if (!now || typeof wanted !== 'string') {
    run.report.notes.push(`${path}: its type has no workflow here, so that it gets no state.`);
    return;
  }
  if (!Object.hasOwn(now.workflow.states, wanted))
    throw new BadRequest(`The workflow "${now.workflow.id}" has no state "${wanted}" here. Apply the set-up as well.`);
  const transitions: Transitions = new Map(
    Object.entries(now.workflow.states).map(([id, state]) => [
      id,
      state.transitions.flatMap((name) => {
        const to = now.workflow.transitions[name]?.new_state;
        return to === undefined ? [] : [{ id: name, to }];
      }),
    ]),
  );
  const way = wayBetween(transitions, now.id, wanted);
  if (!way) throw new BadRequest(`No transitions lead from "${now.id}" to "${wanted}".`);
  const comment = has(site, caller, resolved, MANAGE_PORTAL) ? 'Applied from a plan' : '';
  for (const transition of way) await transitionContent(kernel, { caller, path, transition, comment });
}
