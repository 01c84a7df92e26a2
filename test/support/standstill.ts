/** Does work, and measures the longest time in milliseconds in which the process did nothing else. */
export async function whileMeasured<T>(work: () => Promise<T>): Promise<{ result: T; worst: number }> {
  let worst = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    worst = Math.max(worst, now - last);
    last = now;
  };
  const timer = setInterval(look, 10);
  try {
    const result = await work();
    look();
    return { result, worst };
  } finally {
    clearInterval(timer);
  }
}
