/** The outcome of a change for one object. `target` is the path of what was moved or copied; `type` and `reason` are those of a refusal. */
export type Outcome = {
  outcome: 'changed' | 'unchanged' | 'refused';
  target: string | null;
  type: string | null;
  reason: string | null;
};

export const OUTCOMES = ['changed', 'unchanged', 'refused'] as const;
