import { setTimeout as sleep } from 'node:timers/promises';
import { randomNumbers } from '../documents.mjs';
import { median } from '../load.mjs';
import { pathsOf } from './content.mjs';
import { startEditors } from './editors.mjs';
import { Ledger } from './ledger.mjs';
import { findLacking, percentile, sendAtRate } from './open-loop.mjs';
import { findRate, IN_TIME_MS, LOWEST_RATE, TRIED } from './rate.mjs';
import { clientFor, scalesOf } from './site.mjs';
import { slowMoments } from './slow-moments.mjs';
import { usageOf } from './usage.mjs';
import { visitsOf } from './visits.mjs';

/**
 * Requests a second, and seconds, of visits before the first measurement: a day begins at a server that runs. What its start costs is measured
 * by itself.
 */
const WARM_UP_RATE = 10;
const WARM_UP_SECONDS = 30;

/** Kills a server in the middle of a visit that is under way, and starts it again. Returns the milliseconds until it answers, and what was refused. */
async function restartDuring(subject, ledger, visiting, seconds) {
  // Where the visit fails before the server is back, that is thrown below.
  visiting.catch(() => undefined);
  await sleep((seconds * 1000) / 3);
  if (subject.allowedMs) ledger.allowedMs = subject.allowedMs.afterKill;
  await subject.kill();
  const started = performance.now();
  await subject.again();
  const ms = Math.round(performance.now() - started);
  const { failures } = await visiting;
  return { ms, refused: countOf(failures), failures };
}

/** The usage of a system while some work is done: seconds of the processor, megabytes at the end, and how many seconds it took. */
async function usageDuring(subject, work) {
  const [before, started] = [usageOf(subject.pids()), performance.now()];
  const result = await work();
  const after = usageOf(subject.pids());
  return {
    ...{ result, cpu: after.cpu - before.cpu, memoryMB: after.memoryMB },
    seconds: (performance.now() - started) / 1000,
  };
}

/** Throws if a process of a system has ended without being asked to. */
function requireAlive(subject) {
  for (const pid of subject.pids())
    try {
      process.kill(pid, 0);
    } catch (error) {
      throw new Error(`The process ${pid} of the system has ended.`, { cause: error });
    }
}

const countOf = (failures) => Object.values(failures).reduce((sum, count) => sum + count, 0);

/** The client of the editors, the requests of the visitors and the ledger of a day at one system. */
async function beginDay(subject, { documents }) {
  const client = await clientFor(subject);
  const random = randomNumbers(7);
  const ledger = new Ledger(client.prefix);
  ledger.allowedMs = subject.allowedMs?.usual ?? 0;
  const { types = {}, addresses } = subject;
  const site = {
    ...{ pages: pathsOf(documents, 'Page'), folders: pathsOf(documents, 'Folder'), pictures: scalesOf() },
    ...{
      token: client.token,
      addresses: { feed: (path) => `${path}/RSS`, ...addresses },
      pageType: types.Page ?? 'Page',
    },
  };
  const url = subject.visitorsUrl ?? subject.url;
  const lacking = await findLacking(url, visitsOf(site, { random, ledger }).one());
  const { next } = visitsOf(site, { random, ledger, lacking: new Set(lacking.keys()) });
  return { client, random, ledger, site, url, next, lacking };
}

/**
 * Runs a day at a site: visitors at growing rates while editors and an importer write, then a longer time at half the rate, in the middle of
 * which the server is killed and started again while they go on.
 *
 * @param {object} subject  a running system with the content of the day: `url`, `pids()` of its processes, `kill()`, `again()`
 * @param {object} setting  `documents`, `seconds` of a measurement, `signal` that ends the day, `profile(run)`: profiles the server while
 *                          visitors come at half the rate, `report({ rate, p99, failures, slow })`: gets each result; `slow` has the slow
 *                          moments of a late one (`slow-moments.mjs`) with the edits under way
 */
export async function measureDay(subject, { documents, seconds, report, signal, profile }) {
  const day = await beginDay(subject, { documents });
  const { ledger, client } = day;
  const errors = {};
  const send = (rate, duration) =>
    sendAtRate({
      ...{ url: day.url, rate, seconds: duration, next: day.next, signal },
      check: (request, response, sentAt) => ledger.check(request, response, sentAt),
    });
  const visit = async (rate, duration) => {
    const measured = await send(rate, duration);
    requireAlive(subject);
    return measured;
  };
  const note = (failures) => {
    for (const [reason, count] of Object.entries(failures)) errors[reason] = (errors[reason] ?? 0) + count;
  };
  let working;
  const edit = () => {
    working = startEditors(client, { pages: day.site.pages, random: day.random, ledger });
  };
  try {
    edit();
    await visit(WARM_UP_RATE, WARM_UP_SECONDS);
    const { rate, result, askedTwice } = await findRate(async (wanted, part) => {
      const measured = await visit(wanted, seconds * part);
      const p99 = percentile(measured.latencies, 0.99);
      const moments = p99 < IN_TIME_MS ? [] : slowMoments(measured.requests, IN_TIME_MS);
      const slow = moments.map((one) => ({ ...one, edits: working.during(one) }));
      report({ rate: wanted, p99, failures: measured.failures, slow });
      return measured;
    });
    if (result) note(result.failures);

    const usual = Math.max(LOWEST_RATE, rate / 2);
    const writes = await usageDuring(subject, () => sleep(seconds * TRIED * 1000));
    const { result: steady, ...whole } = await usageDuring(subject, () => visit(usual, seconds));
    const readsCpu = Math.max(0, whole.cpu - (writes.cpu / writes.seconds) * whole.seconds);
    note(steady.failures);
    const { times, failures } = await working.stop();

    edit();
    const restart = await restartDuring(subject, ledger, send(usual, seconds), seconds);
    const { latencies, failures: later } = await visit(usual, seconds);
    note(later);
    await working.stop();

    edit();
    const profiled = await profile?.(() => visit(usual, seconds * 2));
    return {
      rate: Math.round(rate),
      askedTwice,
      p50: percentile(result?.latencies ?? steady.latencies, 0.5),
      p99: percentile(result?.latencies ?? steady.latencies, 0.99),
      usual,
      cpuMs: (readsCpu * 1000) / steady.latencies.length,
      memoryMB: whole.memoryMB,
      writersCpu: writes.cpu / writes.seconds,
      edits: Object.fromEntries(Object.entries(times).map(([name, all]) => [name, Math.round(median(all))])),
      editFailures: failures,
      errors,
      errorCount: countOf(errors),
      restart,
      afterRestart: percentile(latencies, 0.99),
      lacking: Object.fromEntries(day.lacking),
      compared: ledger.compared,
      stale: ledger.stale,
      late: ledger.late,
      latestMs: Math.round(ledger.latestMs),
      ...(profiled && { profile: profiled }),
    };
  } finally {
    await working?.stop();
  }
}
