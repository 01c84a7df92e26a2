/**
 * Yields each entry after its parent, and otherwise in the given order. A parent that is missing or its own descendant
 * is ignored. Of several entries with one key the last is the parent.
 */
export function* parentsFirst<T>(
  entries: Iterable<T>,
  keyOf: (entry: T) => string,
  parentKeyOf: (entry: T) => string | null,
): Generator<T> {
  const list = [...entries];
  const byKey = new Map(list.map((entry) => [keyOf(entry), entry]));
  const done = new Set<T>();
  for (const entry of list) {
    const waiting: T[] = [];
    let current: T | undefined = entry;
    while (current !== undefined && !done.has(current)) {
      done.add(current);
      waiting.push(current);
      const parent = parentKeyOf(current);
      current = parent === null ? undefined : byKey.get(parent);
    }
    yield* waiting.reverse();
  }
}

/** Values loaded ahead: enough to hide the latency of the disk, while only these few are in memory. */
const AHEAD_LIMIT = 8;

/** Loads a value for each input and yields them in order, while the next few are already being loaded. */
export async function* loadAhead<Input, Value>(
  inputs: Iterable<Input>,
  load: (input: Input) => Promise<Value>,
): AsyncGenerator<Value> {
  const loading: Promise<Value>[] = [];
  try {
    for (const input of inputs) {
      const value = load(input);
      // A failure is thrown below when its value is due; until then it must not count as unhandled.
      value.catch(() => undefined);
      loading.push(value);
      const first = loading.length > AHEAD_LIMIT ? loading.shift() : undefined;
      if (first) yield await first;
    }
    for (let first = loading.shift(); first; first = loading.shift()) yield await first;
  } finally {
    await Promise.allSettled(loading);
  }
}

/** Groups values by a key, in the order in which they come. */
export function groupBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Returns a function that does some work when it is called first, and returns the same result from then on. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
