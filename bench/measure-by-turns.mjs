import { median } from './load.mjs';

/** Requests of a kind before the measurement, and in each round. */
const WARM_UP = 3;
const REQUESTS = 12;

/**
 * Sends the same requests to some sites by turns, so that what else the machine does slows all of them alike. `send(site, n)` sends
 * one. Returns for each site the median and the fastest tenth, in milliseconds.
 */
export async function measureByTurns(sites, send, rounds) {
  const times = sites.map(() => []);
  let n = 0;
  for (const site of sites) for (let at = 0; at < WARM_UP; at += 1) await send(site, at);
  for (let round = 0; round < rounds; round += 1) {
    const turns = sites.map((site, at) => ({ site, at }));
    for (const { site, at } of round % 2 === 0 ? turns : turns.reverse()) {
      for (let request = 0; request < REQUESTS; request += 1) {
        const started = performance.now();
        await send(site, WARM_UP + n + request);
        times[at].push(performance.now() - started);
      }
    }
    n += REQUESTS;
  }
  return times.map((list) => {
    const sorted = [...list].sort((a, b) => a - b);
    return { p50: median(sorted), fastest: sorted[Math.floor(sorted.length / 10)] };
  });
}
