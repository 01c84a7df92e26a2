import type { FieldProblem } from '../lib/errors.ts';
import { validateRecurrence } from '../lib/recurrence.ts';
import type { ContentType } from '../types/content-type.ts';

/** Checks values that depend on each other; they are stored values, dates in ISO form. */
type Invariant = (values: Record<string, unknown>) => FieldProblem | undefined;

const instant = (value: unknown): number => (typeof value === 'string' ? Date.parse(value) : Number.NaN);

/** Invariants by the id of the behavior whose fields they bind. */
const INVARIANTS: Record<string, Invariant> = {
  // plone.event: StartBeforeEnd
  'plone.eventbasic': ({ start, end, open_end }) =>
    open_end !== true && instant(end) < instant(start)
      ? { field: 'end', message: 'The event must not end before it starts.' }
      : undefined,
  'plone.eventrecurrence': ({ recurrence }) => {
    const problem = typeof recurrence === 'string' && recurrence !== '' ? validateRecurrence(recurrence) : undefined;
    return problem === undefined ? undefined : { field: 'recurrence', message: problem };
  },
  // plone.app.dexterity: EffectiveAfterExpires
  dates: ({ effective, expires }) =>
    instant(expires) < instant(effective)
      ? { field: 'expires', message: 'The expiry date must not be before the publishing date.' }
      : undefined,
};

/**
 * Problems of values that do not go together. A behavior's invariant is checked when one of its
 * fields is among `changed`, so that an unrelated edit of old content is never refused.
 */
export function checkInvariants(
  type: ContentType,
  values: Record<string, unknown>,
  changed: ReadonlySet<string>,
): FieldProblem[] {
  const touched = new Set(type.fields.filter(({ name }) => changed.has(name)).map(({ behavior }) => behavior));
  return [...touched].flatMap((behavior) => INVARIANTS[behavior ?? '']?.(values) ?? []);
}
