import { connect } from '../../scripts/lib/client.mjs';
import { send } from './send.mjs';
import { startVisitor } from './visitor.mjs';

const filled = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const html = (piece) => ({ blocks: { a: { '@type': 'html', html: filled(piece, 900_000) } } });
const pattern = (pieces) => ({ pattern: `${'[a-z]{0,1000}'.repeat(pieces)}[!#]`, replacement: 'x', dry_run: true });

/** Requests of an editor of one page, whose work is far larger than their bodies. */
const ATTACKS = [
  ...['<p style="{{{{{{{{">', '<p>', '<!--', '< ', '&lt;', '<b><i><a href="/">x</a></i></b>'].map((piece) => ({
    method: 'PATCH',
    name: '',
    body: html(piece),
  })),
  { method: 'PATCH', name: '', body: { blocks: { a: { '@type': 'html', html: filled('<p>', 8_000_000) } } } },
  { method: 'POST', name: '/@replace', body: pattern(36) },
  { method: 'POST', name: '/@replace', body: pattern(9) },
];
/** Milliseconds within which 99 of 100 visits are answered. */
const MAX_WAIT_MS = 1000;

const CLIENTS = 4;
const ATTACKER = '127.0.0.1';
const VISITOR = '127.0.0.2';

/** Sends costly work for a page, some at a time, while a visitor of another network asks for the site. Returns the problems. */
export async function attackWithCostlyWork({ start }) {
  const server = await start();
  const { url } = server;
  const client = await connect(url);
  const page = `/costly-${Date.now()}`;
  await client.send('POST', '/', {
    '@type': 'Page',
    id: page.slice(1),
    title: 'Page',
    rights: filled('a', 400_000),
  });
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${client.token}` };
  const statuses = {};
  const visiting = startVisitor(url, VISITOR);
  const work = [...ATTACKS, ...ATTACKS];
  const attackers = Array.from({ length: CLIENTS }, async () => {
    for (let next = work.shift(); next; next = work.shift()) {
      const { method, name, body } = next;
      const { status } = await send(url, {
        method,
        path: page + name,
        body: JSON.stringify(body),
        headers,
        from: ATTACKER,
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  await Promise.all(attackers);
  const visits = await visiting.leave();
  const times = visits.map(({ time }) => time).sort((a, b) => a - b);
  const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0);
  const problems = [];
  if (statuses[500] || visits.some(({ status }) => status !== 200)) problems.push('Costly work met a fault');
  if (p99 > MAX_WAIT_MS) problems.push(`Visitors waited ${p99} ms while costly work was done`);
  const figures = { statuses, visits: visits.length, p99, longest: Math.round(times.at(-1) ?? 0) };
  console.log(`Costly work: ${JSON.stringify(figures)}`);
  await server.stop();
  return problems;
}
