import { percentile } from './open-loop.mjs';

/** A site is in time while 99 of 100 responses come within so many milliseconds. */
export const IN_TIME_MS = 100;
/** Requests a second at the beginning, and below which a site does not count as in time at all. */
const FIRST_RATE = 20;
export const LOWEST_RATE = 1;
const STEP = 2;
/** Halvings between the last rate in time and the first that was not. */
const HALVINGS = 3;
/** The most rates that are tried below one that was in time only for a while, each by this factor lower than the one before. */
const LOWER_RATES = 6;
const LOWER = 0.7;
/** The part of the time of a measurement for which a rate is tried while rates are still doubled. */
export const TRIED = 0.4;

const isUnder = ({ latencies }, share) => percentile(latencies, share) < IN_TIME_MS;
const isInTime = (result) => isUnder(result, 0.99);

/**
 * Measures at a rate, and once again if it was late: one slow moment makes one request of 100 late, and seldom comes twice. Where half of the
 * requests were late, it was more than a moment. Both results are noted in `askedTwice`.
 */
async function askTwice(run, rate, part, askedTwice) {
  const first = await run(rate, part);
  if (isInTime(first) || !isUnder(first, 0.5)) return first;
  const second = await run(rate, part);
  askedTwice.push({ rate, p99: [first, second].map(({ latencies }) => percentile(latencies, 0.99)) });
  return second;
}

/**
 * Finds the highest rate at which a site is in time. `run(rate, part)` measures for a part of the usual time and returns sorted `latencies`
 * in milliseconds. Returns the rate, or 0, with what was measured there (`result`), and the rates that were asked for a second time, each with
 * the milliseconds in which 99 of 100 requests came in both.
 */
export async function findRate(run) {
  const askedTwice = [];
  const ask = (rate, part) => askTwice(run, rate, part, askedTwice);
  let [low, high] = [0, FIRST_RATE];
  while (isInTime(await ask(high, TRIED))) {
    low = high;
    high *= STEP;
  }
  for (let rate = FIRST_RATE / STEP; low === 0 && rate >= LOWEST_RATE; rate /= STEP) {
    if (isInTime(await ask(rate, TRIED))) low = rate;
    else high = rate;
  }
  let best;
  for (let left = HALVINGS; low > 0 && left > 0; left -= 1) {
    const rate = (low + high) / 2;
    const result = await ask(rate, 1);
    if (isInTime(result)) [low, best] = [rate, result];
    else high = rate;
  }
  // The last rate was in time for a short while only: a lower one is looked for that is in time for longer.
  for (let left = LOWER_RATES; best === undefined && left > 0 && low >= LOWEST_RATE; left -= 1) {
    const result = await ask(low, 1);
    if (isInTime(result)) best = result;
    else low *= LOWER;
  }
  return { rate: best === undefined ? 0 : low, result: best, askedTwice };
}
