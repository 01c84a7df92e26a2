/** A time in milliseconds that only grows. Its beginning means nothing. */
export type Clock = () => number;

/**
 * A clock that is never behind: it advances by what the process has counted or by what the clock on the wall has, whichever
 * is more. The first stands still while a machine sleeps, the second may be set back.
 */
export function forwardClock(counted: Clock = () => performance.now(), wall: Clock = () => Date.now()): Clock {
  let time = 0;
  let last = { counted: counted(), wall: wall() };
  return () => {
    const next = { counted: counted(), wall: wall() };
    time += Math.max(0, next.counted - last.counted, next.wall - last.wall);
    last = next;
    return time;
  };
}
