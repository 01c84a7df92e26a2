/** Enough to hide the latency of the disk; the values read ahead are all that is in memory at once. */
const AHEAD = 8;

/** Loads one value for each input and yields them in order, while the next few are already being loaded. */
export async function* readAhead<Input, Value>(
  inputs: Iterable<Input>,
  load: (input: Input) => Promise<Value>,
): AsyncGenerator<Value> {
  const loading: Promise<Value>[] = [];
  try {
    for (const input of inputs) {
      const value = load(input);
      // A failure is thrown below, when its turn comes; until then it is not unhandled.
      value.catch(() => undefined);
      loading.push(value);
      const first = loading.length > AHEAD ? loading.shift() : undefined;
      if (first) yield await first;
    }
    for (let first = loading.shift(); first; first = loading.shift()) yield await first;
  } finally {
    await Promise.allSettled(loading);
  }
}
