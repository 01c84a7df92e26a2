/**
 * Loads rows in batches of `size`: `load` gets the last row of the previous batch, undefined for the first batch. Yields no empty batch; a shorter
 * batch is the last one.
 */
export async function* loadBatches<R>(
  size: number,
  load: (last: R | undefined) => Promise<readonly R[]>,
): AsyncGenerator<readonly R[]> {
  for (let last: R | undefined; ; ) {
    const rows = await load(last);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

/** Repeats work that does up to `size` items at a time, until it does less. Returns the number of items. */
export async function untilFewer(size: number, work: () => Promise<number>): Promise<number> {
  for (let done = 0; ; ) {
    const count = await work();
    done += count;
    if (count < size) return done;
  }
}
