/** Workflows as the site has them, and what is sent to make one of another. */

type Guard = { permissions?: string[]; roles?: string[]; groups?: string[]; [more: string]: unknown };
export type StatePermission = { roles: string[]; acquire: boolean };
export type State = { title: string; permissions?: Record<string, StatePermission>; transitions?: string[] };
export type Transition = { title: string; new_state: string; guard?: Guard };
export type Workflow = {
  id: string;
  title: string;
  description: string;
  initial_state: string;
  types: string[];
  states: Record<string, State>;
  transitions: Record<string, Transition>;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys that differ, as a `PATCH` has them: objects key by key, `null` for what goes, lists as a whole. Undefined without a difference. */
export function difference(before: unknown, now: unknown): unknown {
  if (!isRecord(before) || !isRecord(now)) return JSON.stringify(before) === JSON.stringify(now) ? undefined : now;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changes = keys.flatMap((key) => {
    if (!(key in now)) return [[key, null] as const];
    if (!(key in before)) return [[key, now[key]] as const];
    const change = difference(before[key], now[key]);
    return change === undefined ? [] : [[key, change] as const];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** A short name of a title that is not taken yet. */
export function freeId(title: string, taken: Readonly<Record<string, unknown>>): string {
  const plain =
    title
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '') || 'new';
  let id = plain;
  for (let n = 2; id in taken; n++) id = `${plain}_${n}`;
  return id;
}

/** The workflow without a state: transitions to it go as well. */
export function withoutState(workflow: Workflow, id: string): Workflow {
  const { [id]: _, ...states } = workflow.states;
  const leading = Object.entries(workflow.transitions).flatMap(([name, one]) => (one.new_state === id ? [name] : []));
  return leading.reduce(withoutTransition, { ...workflow, states });
}

/** The workflow without a transition: no state offers it. */
export function withoutTransition(workflow: Workflow, id: string): Workflow {
  const { [id]: _, ...transitions } = workflow.transitions;
  const states = Object.fromEntries(
    Object.entries(workflow.states).map(([name, state]) => [
      name,
      { ...state, transitions: (state.transitions ?? []).filter((one) => one !== id) },
    ]),
  );
  return { ...workflow, transitions, states };
}
