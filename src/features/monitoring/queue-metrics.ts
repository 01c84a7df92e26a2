import type { Registry } from 'prom-client';
import type { Kernel } from '#core';
import { gauge, type Sample } from './read-metric.ts';
import { type QueueFigures, queueFigures } from './statements.ts';

/** Milliseconds for which counted work is reused by further scrapes. */
const KEEP_MS = 5000;
/** Milliseconds that a scrape waits for the database: the other metrics are most important while it is down. */
const TIMEOUT_MS = 3000;

/** Counts the work that waits in the database, at most once in a while. */
class CountedQueue {
  readonly #kernel: Kernel;
  #last: { at: number; figures: Promise<readonly QueueFigures[] | undefined> } | undefined;
  #hasFailed = false;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** The figures; undefined while the database does not respond in time. The first failure of several in a row is logged. */
  current(): Promise<readonly QueueFigures[] | undefined> {
    if (this.#last && Date.now() - this.#last.at < KEEP_MS) return this.#last.figures;
    const figures = this.#count();
    this.#last = { at: Date.now(), figures };
    return figures;
  }

  async #count(): Promise<readonly QueueFigures[] | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`The database did not answer within ${TIMEOUT_MS / 1000} seconds`);
      timer = setTimeout(() => reject(error), TIMEOUT_MS).unref();
    });
    try {
      const figures = await Promise.race([queueFigures(this.#kernel.db), late]);
      this.#hasFailed = false;
      return figures;
    } catch (error) {
      if (!this.#hasFailed) this.#kernel.log.error({ err: error }, 'the waiting work could not be counted for metrics');
      this.#hasFailed = true;
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Adds the metrics of the work of all processes that waits in the database, and of the availability of the database. */
export function queueMetrics(registry: Registry, kernel: Kernel): void {
  const counted = new CountedQueue(kernel);
  const read = (pick: (figures: QueueFigures) => number) => async (): Promise<Sample<'kind'>[]> =>
    ((await counted.current()) ?? []).map((figures) => ({ labels: { kind: figures.kind }, value: pick(figures) }));
  const add = (name: string, help: string, pick: (figures: QueueFigures) => number): void =>
    gauge(registry, { name, help, labels: ['kind'], read: read(pick) });
  add('canopy_queue_waiting', 'Pieces of work that wait, in the whole site.', ({ waiting }) => waiting);
  add('canopy_queue_running', 'Pieces of work that a process does, in the whole site.', ({ running }) => running);
  add(
    'canopy_queue_failed',
    'Pieces of work whose last attempt failed; jobs: those of the last day.',
    ({ failed }) => failed,
  );
  add('canopy_queue_oldest_seconds', 'Age of the oldest piece of work that waits.', ({ age }) => age);
  gauge(registry, {
    name: 'canopy_database_up',
    help: '1 while the database responds.',
    read: async () => [{ value: (await counted.current()) === undefined ? 0 : 1 }],
  });
}
