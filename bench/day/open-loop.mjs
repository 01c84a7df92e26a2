import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The most requests under way: behind more, a site is no longer in time anyway. */
const MAX_UNDER_WAY = 512;
/** Milliseconds after which a request counts as failed. */
const PATIENCE_MS = 10_000;

/** Sends one request; resolves with its status and text. */
function send(agent, url, { path, token }) {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(url + path, { agent, headers, timeout: PATIENCE_MS }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(pieces) }));
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.end();
  });
}

/** The value below which a share of sorted numbers lies. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY;

const isWrong = (kind, status) => (kind === 'missing' ? status !== 404 : status >= 400);

/**
 * Sends requests at a rate, whether or not earlier ones are answered: visitors do not wait for each other. The time of a request begins when it
 * was due. Returns latencies in milliseconds, sorted, and the failures by kind.
 *
 * @param {object} load  `url`, `rate` a second, `seconds`, `next()`: the next request, `check(request, text, sentAt)`
 */
export async function sendAtRate({ url, rate, seconds, next, check }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const latencies = [];
  const failures = {};
  const underWay = new Set();
  const fail = (reason) => {
    failures[reason] = (failures[reason] ?? 0) + 1;
  };
  const one = async (due) => {
    const visit = next();
    const sentAt = performance.now();
    try {
      const { status, body } = await send(agent, url, visit);
      latencies.push(performance.now() - due);
      if (isWrong(visit.kind, status)) fail(`${visit.kind} ${status}`);
      else if (visit.kind !== 'picture' && status === 200) check?.(visit, body.toString('utf8'), sentAt);
    } catch (error) {
      latencies.push(PATIENCE_MS);
      fail(error.code ?? error.message);
    }
  };
  const started = performance.now();
  const total = Math.round(rate * seconds);
  for (let count = 0; count < total; ) {
    const due = started + (count * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    if (underWay.size >= MAX_UNDER_WAY) {
      fail('too many under way');
      latencies.push(PATIENCE_MS);
      count += 1;
      await Promise.race(underWay);
      continue;
    }
    const running = one(due).finally(() => underWay.delete(running));
    underWay.add(running);
    count += 1;
  }
  await Promise.all(underWay);
  const elapsed = (performance.now() - started) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return { latencies, failures, perSecond: total / elapsed };
}
