import type { Queryable } from '../../database/database.ts';
import { countWaiting } from './statements/items.ts';

/** Failed attempts after which work counts as stuck. */
const LATE_ATTEMPTS = 3;
/** Seconds after which due work should have been tried. */
const LATE_SECONDS = 300;
/** Maximum number of counted items. */
const MAX_COUNTED = 1000;
/** Milliseconds for which an observation is cached. */
const KEEP_MS = 10_000;

/** The amount of waiting work, and its problem; undefined for work that is done in time. */
export type Waiting = { waiting: number; problem: string | undefined };

/** A health check that warns when work of the queue waits for too long. `name` is followed by `:waiting` in the response. */
export const waitingHealth = <K extends { db: Queryable }>(
  name: string,
  { unit, observe }: { unit: string; observe(kernel: K): Promise<Waiting> },
) => ({
  name: `${name}:waiting`,
  componentType: 'component' as const,
  keep: KEEP_MS,
  async observe(kernel: K) {
    const { waiting, problem } = await observe(kernel);
    return {
      status: problem === undefined ? ('pass' as const) : ('warn' as const),
      observedValue: waiting,
      observedUnit: unit,
      ...(problem === undefined ? {} : { output: problem }),
    };
  },
});

/** Observes the items of a kind. `problemOf` describes the problem when items are late. */
export async function observeItems(db: Queryable, kind: string, problemOf: (late: number) => string): Promise<Waiting> {
  const bounds = { attempts: LATE_ATTEMPTS, seconds: LATE_SECONDS, limit: MAX_COUNTED };
  const { waiting, late } = await countWaiting(db, kind, bounds);
  return { waiting, problem: late > 0 ? problemOf(late) : undefined };
}
