/** Counts of values by upper bounds: plain numbers, so that adding a value costs next to nothing. */
export class Distribution {
  /** The upper bounds, ascending. A value counts for the first bound that is not below it. */
  readonly bounds: readonly number[];
  /** The number of values for each bound, then of values above all bounds. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const { bounds, counts } = this;
    let place = 0;
    while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1;
    counts[place] = (counts[place] ?? 0) + 1;
    this.sum += value;
  }

  /** The number of values. */
  get count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }
}
