import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf } from './visits.mjs';

/** The most requests under way: behind more, a site is no longer in time anyway. */
const MAX_UNDER_WAY = 512;
/** Milliseconds after which a request counts as failed, and as which it counts then. */
const PATIENCE_MS = 10_000;

/** Sends one request; resolves with its status and bytes. */
function send(agent, url, { path, token, method = 'GET', json, accept = 'application/json' }) {
  return new Promise((resolve, reject) => {
    const body = json === undefined ? undefined : JSON.stringify(json);
    const headers = {
      accept,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    };
    const sent = request(url + path, { agent, method, headers, timeout: PATIENCE_MS }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(pieces) }));
    });
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The value below which a share of sorted numbers lies. */
export const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.POSITIVE_INFINITY;

/** News may be gone; the ledger compares them. */
function isWrong(kind, status) {
  if (kind === 'missing') return status !== 404;
  return status >= (kind === 'news' ? 500 : 400);
}

/** Sends one request of each kind, as visitors and as members. Returns the kinds that the system does not answer, with their statuses. */
export async function findLacking(url, requests) {
  const agent = new Agent();
  const lacking = new Map();
  for (const visit of requests) {
    const answer = await send(agent, url, visit).catch((error) => ({ status: error.message }));
    if (typeof answer.status !== 'number' || isWrong(visit.kind, answer.status))
      lacking.set(nameOf(visit), answer.status);
  }
  agent.destroy();
  return lacking;
}

/**
 * Sends requests at a rate, whether or not earlier ones are answered: visitors do not wait for each other. The time of a request begins when it
 * was due. Returns latencies in milliseconds, sorted, in which one that failed counts as late, the failures by kind, and the requests:
 * `{ name, due, ms }`, where `due` is a moment in milliseconds of the process, and a failure has its kind as its name.
 *
 * @param {object} load  `url`, `rate` a second, `seconds`, `next()`: the next request, `check(request, response, sentAt)`, `signal`: ends it
 */
export async function sendAtRate({ url, rate, seconds, next, check, signal }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const requests = [];
  const failures = {};
  const underWay = new Set();
  const fail = (reason, due) => {
    failures[reason] = (failures[reason] ?? 0) + 1;
    requests.push({ name: reason, due, ms: PATIENCE_MS });
  };
  const one = async (due) => {
    const visit = next();
    const sentAt = performance.now();
    try {
      const response = await send(agent, url, visit);
      const elapsed = performance.now() - due;
      if (isWrong(visit.kind, response.status)) return fail(`${nameOf(visit)} ${response.status}`, due);
      requests.push({ name: nameOf(visit), due, ms: elapsed });
      check(visit, response, sentAt);
    } catch (error) {
      fail(error.code ?? error.message, due);
    }
  };
  const started = performance.now();
  const total = Math.max(1, Math.round(rate * seconds));
  for (let count = 0; count < total && !signal?.aborted; count += 1) {
    const due = started + (count * 1000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await sleep(wait);
    if (underWay.size >= MAX_UNDER_WAY) {
      fail('too many under way', due);
      await Promise.race(underWay);
      continue;
    }
    const running = one(due).finally(() => underWay.delete(running));
    underWay.add(running);
  }
  await Promise.all(underWay);
  signal?.throwIfAborted();
  agent.destroy();
  requests.sort((a, b) => a.ms - b.ms);
  return { latencies: requests.map(({ ms }) => ms), failures, requests };
}
