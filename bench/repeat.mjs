import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Does work again and again until it is stopped. `pauseOf` gives the milliseconds until the next turn, from those that this one took. `stop`
 * returns the milliseconds of each turn; a failure is thrown there.
 */
export function repeat(work, pauseOf) {
  const times = [];
  let isOver = false;
  const running = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const started = performance.now();
      await work(n);
      const elapsedMs = performance.now() - started;
      times.push(elapsedMs);
      await sleep(Math.max(0, pauseOf(elapsedMs)));
    }
  })();
  running.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await running;
      return times;
    },
  };
}
