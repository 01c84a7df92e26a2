/** A random generator with a seed, so that a failure can be repeated. */
export type Random = {
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
  /** `count` random bytes. */
  bytes(count: number): Uint8Array;
};

/** Numbers of the generator mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const int = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return {
    int,
    pick: (values) => values[int(values.length)] ?? values[0],
    bytes: (count) => Uint8Array.from({ length: count }, () => int(256)),
  };
}
