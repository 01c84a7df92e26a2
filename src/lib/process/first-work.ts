type Begin = () => void;

/** Work on an object, such as a database, that waits for the end of a start. */
const held = new WeakMap<object, Set<Begin>>();

/**
 * Holds the first work of the workers of an object, so that the start of a process does not share the processor and the database with it. Returns the
 * function that begins it.
 */
export function holdFirstWork(of: object): Begin {
  const waiting = new Set<Begin>();
  held.set(of, waiting);
  return () => {
    if (held.get(of) === waiting) held.delete(of);
    for (const begin of waiting) begin();
    waiting.clear();
  };
}

/** Begins work on an object now, or after the start of the process while that holds its first work. */
export function afterStart(of: object, begin: Begin): void {
  const waiting = held.get(of);
  if (waiting) waiting.add(begin);
  else begin();
}
