import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two requests of the visitor whose time is taken. */
const PAUSE_MS = 50;
const SEARCH = () => `/@search?fullobjects&b_size=2000&z=${Math.random()}`;

/** Sends one request; `leaveAfter` milliseconds later the client is gone. Answers status and milliseconds; 0 for a cut connection. */
export function send(url, { method = 'GET', path = '/', body, headers = {}, leaveAfter, from = '127.0.0.1' }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status) => resolve({ status, time: performance.now() - began });
    const sent = request(
      new URL(path, url),
      { method, localAddress: from, agent: false, headers: { Accept: 'application/json', ...headers } },
      (response) => {
        response.on('error', () => end(0)).on('end', () => end(response.statusCode));
        response.resume();
      },
    );
    sent.on('error', () => end(0));
    if (leaveAfter !== undefined) setTimeout(() => sent.destroy(), leaveAfter);
    sent.end(body);
  });
}

/** Bytes of memory that a process has in use now. */
export function memoryOf(pid) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** What attackers send, each with its share. */
const MIX = [
  () => ({ path: SEARCH(), leaveAfter: 100 }),
  () => ({ path: SEARCH() }),
  () => ({ path: `/@search?SearchableText=a*&b_size=1000&metadata_fields=_all&z=${Math.random()}` }),
  () => ({ path: `/?b_size=1000&expand=navigation,breadcrumbs,actions&z=${Math.random()}` }),
  () => ({ path: `/nothing-${Math.random()}` }),
  () => ({ path: `/?z=${Math.random()}`, leaveAfter: 50 }),
  () => ({
    method: 'POST',
    path: '/@login',
    body: JSON.stringify({ login: `nobody${Math.random()}`, password: 'wrong' }),
    headers: { 'Content-Type': 'application/json' },
  }),
  () => ({ method: 'POST', path: '/', body: '{"@type":"Page"}', headers: { 'Content-Type': 'application/json' } }),
  () => ({
    method: 'POST',
    path: '/@querystring-search',
    body: JSON.stringify({ query: [], fullobjects: true, b_size: 2000, z: Math.random() }),
    headers: { 'Content-Type': 'application/json' },
  }),
  () => ({ path: '/@search?b_size=banana' }),
];

/** The attacks by their names: how many clients send what, one request after the other. */
export const ATTACKS = {
  leaving: { clients: 250, next: () => ({ path: SEARCH(), leaveAfter: 100 }) },
  mix: { clients: 1000, next: () => MIX[Math.floor(Math.random() * MIX.length)]() },
};

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Attacks a server for some milliseconds, and takes the times of a visitor's `GET /` meanwhile. `from` is the address of the
 * attackers, `visitor` that of the visitor.
 */
export async function attack(
  { url, pid },
  name,
  { duration = 15_000, from = '127.0.0.1', visitor = '127.0.0.1' } = {},
) {
  const { clients, next } = ATTACKS[name];
  const idle = memoryOf(pid);
  let highest = idle;
  let isOver = false;
  const statuses = new Map();
  const attackers = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const { status } = await send(url, { ...next(), from });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0 || status === 503) await sleep(20);
    }
  });
  const times = [];
  const visits = new Map();
  const until = Date.now() + duration;
  await sleep(500);
  while (Date.now() < until) {
    const { status, time } = await send(url, { path: '/', from: visitor });
    times.push(time);
    visits.set(status, (visits.get(status) ?? 0) + 1);
    highest = Math.max(highest, memoryOf(pid));
    await sleep(PAUSE_MS);
  }
  isOver = true;
  const after = await send(url, { path: '/', from: visitor });
  await Promise.all(attackers);
  times.sort((a, b) => a - b);
  return {
    visits: Object.fromEntries(visits),
    median: Math.round(quantile(times, 0.5)),
    p99: Math.round(quantile(times, 0.99)),
    next: Math.round(after.time),
    memory: { idle: Math.round(idle / 2 ** 20), highest: Math.round(highest / 2 ** 20) },
    attackers: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
  };
}
