import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from './send.mjs';
import { startVisitor } from './visitor.mjs';

/** Milliseconds between two measurements of the server's memory. */
const PAUSE_MS = 50;
const SEARCH = () => `/@search?fullobjects&b_size=2000&z=${Math.random()}`;

/** Bytes of memory that a process has in use now. */
function memoryOf(pid) {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

/** Requests of attackers, each as frequent as the others. */
const MIX = [
  () => ({ path: SEARCH(), leaveAfter: 100 }),
  () => ({ path: SEARCH() }),
  () => ({ path: `/@search?SearchableText=a*&b_size=1000&metadata_fields=_all&z=${Math.random()}` }),
  () => ({ path: `/?b_size=1000&expand=navigation,breadcrumbs,actions,none-${Math.random()}` }),
  () => ({ path: `/nothing-${Math.random()}` }),
  () => ({ path: `/?expand=none-${Math.random()}`, leaveAfter: 50 }),
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
const ATTACKS = {
  leaving: { clients: 250, next: () => ({ path: SEARCH(), leaveAfter: 100 }) },
  mix: { clients: 1000, next: () => MIX[Math.floor(Math.random() * MIX.length)]() },
};

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Attacks a server for some milliseconds, and measures a visitor's `GET /` meanwhile. `from` is the address of the
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
  const until = Date.now() + duration;
  const visiting = startVisitor(url, visitor);
  while (Date.now() < until) {
    highest = Math.max(highest, memoryOf(pid));
    await sleep(PAUSE_MS);
  }
  const visits = await visiting.leave();
  isOver = true;
  const after = await send(url, { path: '/', from: visitor });
  await Promise.all(attackers);
  const times = visits.map(({ time }) => time).sort((a, b) => a - b);
  const visited = new Map();
  for (const { status } of visits) visited.set(status, (visited.get(status) ?? 0) + 1);
  return {
    visits: Object.fromEntries(visited),
    median: Math.round(quantile(times, 0.5)),
    p99: Math.round(quantile(times, 0.99)),
    next: Math.round(after.time),
    memory: { idle: Math.round(idle / 2 ** 20), highest: Math.round(highest / 2 ** 20) },
    attackers: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)),
  };
}
