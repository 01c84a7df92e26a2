import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from 'prom-client';
import type { Distribution } from '#lib/process/distribution';

/** One value of a metric at the time of a scrape. */
export type Sample<L extends string> = { labels?: Partial<Record<L, string>>; value: number };

/** A metric whose values are read at a scrape, so that nothing is counted twice, and counting costs only an addition. */
type ReadMetric<L extends string> = {
  name: string;
  help: string;
  labels?: readonly L[];
  read(): readonly Sample<L>[] | Promise<readonly Sample<L>[]>;
};

/** Adds a value that only grows. */
export function counter<L extends string>(registry: Registry, { name, help, labels = [], read }: ReadMetric<L>): void {
  new Counter<L>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset();
      for (const { labels = {}, value } of await read()) this.inc(labels, value);
    },
  });
}

/** Adds a value that rises and falls. */
export function gauge<L extends string>(registry: Registry, { name, help, labels = [], read }: ReadMetric<L>): void {
  new Gauge<L>({
    name,
    help,
    labelNames: labels,
    registers: [registry],
    async collect() {
      this.reset();
      for (const { labels = {}, value } of await read()) this.set(labels, value);
    },
  });
}

/** Values of a histogram with their labels. */
type Distributed = { labels: Record<string, string>; values: Distribution };

/** A histogram of numbers that are counted elsewhere. */
class ReadHistogram extends Histogram {
  readonly #name: string;
  /** An empty histogram, for everything except the values. */
  readonly #empty: Histogram;
  readonly #read: () => readonly Distributed[];

  constructor(
    registry: Registry,
    { read, ...named }: { name: string; help: string; read: () => readonly Distributed[] },
  ) {
    super({ ...named, registers: [registry] });
    this.#name = named.name;
    this.#empty = new Histogram({ ...named, registers: [] });
    this.#read = read;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    return { ...(await this.#empty.get()), values: this.#read().flatMap((one) => this.#valuesOf(one)) };
  }

  /** The library prefers this method to `get`. */
  getForPromString(): Promise<MetricObjectWithValues<MetricValueWithName<string>>> {
    return this.get();
  }

  #valuesOf({ labels, values: { bounds, counts, sum, count } }: Distributed): MetricValueWithName<string>[] {
    let below = 0;
    const buckets = bounds.map((bound, place) => {
      below += counts[place] ?? 0;
      return { metricName: `${this.#name}_bucket`, labels: { ...labels, le: bound }, value: below };
    });
    return [
      ...buckets,
      { metricName: `${this.#name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
      { metricName: `${this.#name}_sum`, labels, value: sum },
      { metricName: `${this.#name}_count`, labels, value: count },
    ];
  }
}

/** Adds a histogram of values that are counted elsewhere. */
export function histogram(
  registry: Registry,
  metric: { name: string; help: string; read: () => readonly Distributed[] },
): void {
  new ReadHistogram(registry, metric);
}
