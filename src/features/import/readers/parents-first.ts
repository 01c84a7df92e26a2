/**
 * Yields each entry after its parent, and otherwise in the order given. A parent that is not among the
 * entries, or that is its own descendant, holds nothing up. Of entries with one key the last counts as parent.
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
