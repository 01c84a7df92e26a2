import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../documents.mjs';
import { median } from '../load.mjs';
import { Ledger, startEditors } from './editors.mjs';
import { percentile, sendAtRate } from './open-loop.mjs';
import { visitsOf } from './visits.mjs';

/** A site is in time while 99 of 100 answers come within so many milliseconds. */
const IN_TIME_MS = 100;
const FIRST_RATE = 10;
const STEP = 1.5;
/** Halvings between the last rate in time and the first that was not. */
const HALVINGS = 2;
/** How often in a second each editor works. */
const EDITS = { rename: 2, publish: 0.5, move: 0.5, import: 2 };
const TICKS_A_SECOND = 100;

/** Seconds of the processor that a process has taken, and its megabytes. */
function usageOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu: (Number(user) + Number(system)) / TICKS_A_SECOND, memoryMB: Math.round(Number(rss) / 1024) };
}

const isInTime = ({ latencies, failures }) =>
  percentile(latencies, 0.99) < IN_TIME_MS && Object.keys(failures).length === 0;

/** The highest rate at which a site is in time, and what was measured there. */
async function findRate(run) {
  let best = { rate: 0, result: undefined };
  const isGood = async (rate) => {
    const result = await run(rate);
    if (isInTime(result)) best = { rate, result };
    return isInTime(result);
  };
  let rate = FIRST_RATE;
  while (await isGood(rate)) rate *= STEP;
  let [low, high] = [best.rate, rate];
  for (let n = 0; n < HALVINGS && low > 0; n += 1) {
    const middle = (low + high) / 2;
    if (await isGood(middle)) low = middle;
    else high = middle;
  }
  return best;
}

/** Stops a server at once while visitors go on, and starts it again. Returns milliseconds until it answers again. */
async function restart(server) {
  await server.kill();
  const started = performance.now();
  const next = await server.again();
  return { next, ms: performance.now() - started };
}

/**
 * Runs a day at a site: visitors at growing rates while editors work, then a longer time at half the rate with a restart in the middle.
 *
 * @param {object} site      `client`, `pages`, `pictures`; `visitorsUrl` where visitors have another address than editors
 * @param {object} [server]  `pid`, `kill()` and `again()` of a server that may be restarted
 */
export async function measureDay({ client, pages, pictures, visitorsUrl }, { server, seconds, report }) {
  const random = randomNumbers(7);
  const ledger = new Ledger();
  const next = visitsOf({ pages, pictures, token: client.token }, random);
  const check = (visit, text, sentAt) => ledger.check(visit.path, text, sentAt, client.prefix);
  const url = visitorsUrl ?? client.url;
  const visit = (rate, duration) => sendAtRate({ url, rate, seconds: duration, next, check });
  let editors = startEditors(client, { pages, random, ledger, perSecond: EDITS });
  await visit(FIRST_RATE, seconds / 2);
  const { rate, result } = await findRate(async (wanted) => {
    const measured = await visit(wanted, seconds);
    report({ rate: wanted, p99: percentile(measured.latencies, 0.99), failures: measured.failures });
    return measured;
  });

  const before = server && usageOf(server.pid);
  const steady = await visit(Math.max(1, rate / 2), seconds);
  const after = server && usageOf(server.pid);
  const edits = await editors.stop();
  const figures = {
    rate: Math.round(rate),
    p50: result && percentile(result.latencies, 0.5),
    p99: result && percentile(result.latencies, 0.99),
    ...(server && {
      cpuMs: ((after.cpu - before.cpu) * 1000) / steady.latencies.length,
      memoryMB: after.memoryMB,
    }),
    edits: Object.fromEntries(Object.entries(edits).map(([name, times]) => [name, Math.round(median(times))])),
  };
  if (server?.again) {
    const visiting = visit(Math.max(1, rate / 2), seconds);
    await sleep((seconds * 1000) / 3);
    const { ms, next: started } = await restart(server);
    const { failures } = await visiting;
    figures.restart = { ms: Math.round(ms), failures };
    editors = startEditors(client, { pages, random, ledger, perSecond: EDITS });
    figures.afterRestart = percentile((await visit(Math.max(1, rate / 2), seconds)).latencies, 0.99);
    await editors.stop();
    await started.stop();
  }
  return { ...figures, compared: ledger.compared, stale: ledger.stale };
}
