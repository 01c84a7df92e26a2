/** The changes of a form: what somebody has written, apart from what is stored. */

/** Values of fields by the names of the fields. */
export type Values = Readonly<Record<string, unknown>>;

/** The names of fields whose values are others now. */
export const changedFields = (before: Values, now: Values): string[] =>
  Object.keys(now).filter(
    (name) =>
      now[name] !== before[name] &&
      (JSON.stringify(before[name] ?? null) !== JSON.stringify(now[name] ?? null) || now[name] instanceof File),
  );

/** The state of a form: `base` are the stored values that the changes began with. */
export type DraftState = {
  stored: Values;
  base: Values;
  values: Values;
  /** Fields that have changed on both sides meanwhile. The form says so: saving would replace the values of the others. */
  overtaken: readonly string[];
};

export const beginDraft = (stored: Values): DraftState => ({ stored, base: stored, values: stored, overtaken: [] });

/** Carries the changes of a draft over to stored values that were loaded again. */
export function carryOver({ base, values, overtaken }: DraftState, stored: Values): DraftState {
  const own = changedFields(base, values).filter((name) => name in stored);
  const others = new Set(changedFields(base, stored));
  const differs = new Set(changedFields(stored, values));
  return {
    stored,
    base: stored,
    values: { ...stored, ...Object.fromEntries(own.map((name) => [name, values[name]])) },
    overtaken: own.filter((name) => differs.has(name) && (others.has(name) || overtaken.includes(name))),
  };
}
