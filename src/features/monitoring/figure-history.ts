import { type BackgroundWork, type Kernel, OBSERVED, OUTCOMES } from '#core';
import type { Distribution } from '#lib/process/distribution';
import { repeatWork } from '#lib/process/repeat-work';
import { Slot } from '#lib/slots';
import { MINUTE_MS } from '#lib/time/milliseconds';
import { queueFigures } from './statements.ts';

/** Minutes whose figures a process has in memory. */
export const MAX_MINUTES = 180;

const FAILED = OUTCOMES.indexOf('5xx');

/** The figures of one minute; null where nothing was measured. */
export type Minute = {
  time: Date;
  requests: number;
  /** Requests with a status of 500 or more. */
  failed: number;
  /** Milliseconds of half of the requests, and of 95 of 100, at most. */
  median: number | null;
  slow: number | null;
  /** Share of responses and rows that came from a cache, from 0 to 1. */
  cached: number | null;
  /** Pieces of work that wait in the whole site. */
  waiting: number | null;
  /** Bytes of the database. */
  stored: number | null;
};

/** Totals of a process since its start. */
type Totals = { requests: number; failed: number; durations: number[]; hits: number; misses: number };

/** The bound below which a share of values lies, in milliseconds; null without values. */
function quantile(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let seen = 0;
  for (const [place, count] of counts.entries()) {
    seen += count;
    if (seen >= all * share) return (bounds[place] ?? bounds.at(-1) ?? 0) * 1000;
  }
  return null;
}

/** The figures of the last hours of one process, minute by minute. They are in memory alone: a start begins anew. */
export class FigureHistory {
  readonly #minutes: Minute[] = [];
  #before: Totals | undefined;
  #bounds: readonly number[] = [];

  /** The minutes, the oldest first. */
  minutes(): readonly Minute[] {
    return this.#minutes;
  }

  #totals({ slots }: Pick<Kernel, 'slots'>): Totals {
    const { requests, caches } = slots.get(OBSERVED);
    const totals: Totals = { requests: 0, failed: 0, durations: [], hits: 0, misses: 0 };
    const add = ({ bounds, counts }: Distribution): void => {
      this.#bounds = bounds;
      for (const [place, count] of counts.entries()) totals.durations[place] = (totals.durations[place] ?? 0) + count;
    };
    for (const { outcomes, durations } of requests.services.values()) {
      totals.requests += outcomes.reduce((sum, count) => sum + count, 0);
      totals.failed += outcomes[FAILED] ?? 0;
      add(durations);
    }
    for (const { hits, misses } of [caches.responses, caches.rows]) {
      totals.hits += hits;
      totals.misses += misses;
    }
    return totals;
  }

  /** Begins the first minute. */
  begin(kernel: Pick<Kernel, 'slots'>): void {
    this.#before = this.#totals(kernel);
  }

  /** Adds the minute that ends now; does nothing before the first has begun. While the database does not respond, what is asked of it is null. */
  async add(kernel: Pick<Kernel, 'slots' | 'db'>, time = new Date()): Promise<void> {
    const before = this.#before;
    if (!before) return;
    const now = this.#totals(kernel);
    this.#before = now;
    const [queue, database] = await Promise.allSettled([queueFigures(kernel.db), kernel.db.figures()]);
    const durations = now.durations.map((count, place) => count - (before.durations[place] ?? 0));
    const [hits, misses] = [now.hits - before.hits, now.misses - before.misses];
    this.#minutes.push({
      time,
      requests: now.requests - before.requests,
      failed: now.failed - before.failed,
      median: quantile(this.#bounds, durations, 0.5),
      slow: quantile(this.#bounds, durations, 0.95),
      cached: hits + misses === 0 ? null : hits / (hits + misses),
      waiting: queue.status === 'fulfilled' ? queue.value.reduce((sum, { waiting }) => sum + waiting, 0) : null,
      stored: database.status === 'fulfilled' ? database.value.bytes : null,
    });
    if (this.#minutes.length > MAX_MINUTES) this.#minutes.shift();
  }
}

/** The figures of the last hours of the process of a kernel. */
export const FIGURE_HISTORY = new Slot<FigureHistory>('figures of the last hours');

/** Adds a minute after the other until it is closed. */
export function startFigures(kernel: Kernel): BackgroundWork {
  const history = kernel.slots.get(FIGURE_HISTORY);
  history.begin(kernel);
  return repeatWork(() => history.add(kernel), {
    intervalMs: MINUTE_MS,
    onError: (error) => kernel.log.error({ err: error }, 'the figures of a minute could not be taken'),
  });
}
