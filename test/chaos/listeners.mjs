// Opens many listeners to changes on one process, and measures its memory and the reads of visitors: npm run test:listeners -- --help
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

/** A visitor's read may take so many times as long as without listeners. */
const MAX_RATIO = 1.2;
/** Connections that are opened at once. */
const AT_ONCE = 100;
/** Milliseconds in which all listeners get an event. */
const DELIVERY_MS = 30_000;

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '10000' },
    reads: { type: 'string', default: '1500' },
    engine: { type: 'string', default: 'pglite' },
    help: { type: 'boolean', default: false },
  },
});

const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Opens a listener. Resolves once it is there; counts the events that it gets. */
function listen(url, counts) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host: hostname, port: Number(port) });
    onEnd(() => socket.destroy());
    let isOpen = false;
    socket.on('connect', () =>
      socket.write(`GET /@changes HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`),
    );
    socket.on('data', (chunk) => {
      const text = chunk.toString();
      if (!isOpen) {
        if (!text.startsWith('HTTP/1.1 200')) return reject(new Error(text.slice(0, 300)));
        isOpen = true;
        resolve(socket);
      }
      if (text.includes('event: ')) counts.events += 1;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      counts.closed += 1;
    });
  });
}

/** Reads a page many times, one after the other. Returns the median of the milliseconds. */
async function medianOf(url, reads) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  for (let i = 0; i < reads; i += 1) {
    const began = performance.now();
    await new Promise((resolve, reject) => {
      const sent = request(`${url}/read`, { agent, headers: { Accept: 'application/json' } }, (response) => {
        response.resume();
        response.on('end', resolve);
      });
      sent.on('error', reject);
      sent.end();
    });
    times.push(performance.now() - began);
  }
  agent.destroy();
  return times.sort((one, other) => one - other)[Math.floor(reads / 2)];
}

/** The smallest of three medians: what other programs do in between does not count. */
async function quickestOf(url, reads) {
  const medians = [];
  while (medians.length < 3) medians.push(await medianOf(url, reads));
  return Math.min(...medians);
}

await runMain(async () => {
  const [listeners, reads] = [Number(options.listeners), Number(options.reads)];
  if (options.help || !(listeners > 0) || !(reads > 0) || !['pglite', 'postgresql'].includes(options.engine)) {
    console.log('Usage: npm run test:listeners -- [--listeners N] [--reads N] [--engine pglite|postgresql]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const databaseUrl = options.engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const server = await startServer({ dataDir: await temporaryDataDir(), databaseUrl });
  const admin = await connect(server.url);
  await admin.send('PATCH', '/@controlpanels/changes', {
    listeners: listeners + 10,
    listeners_per_client: listeners + 10,
  });
  await admin.send('POST', '/', { '@type': 'Page', id: 'read', title: 'Read' });
  await admin.send('POST', '/read/@workflow/publish');
  await medianOf(server.url, reads);
  const before = { ms: await quickestOf(server.url, reads), mb: rssOf(server.pid) };
  const counts = { events: 0, closed: 0 };
  const began = performance.now();
  for (let open = 0; open < listeners; open += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, listeners - open) }, () => listen(server.url, counts)));
  const opened = (performance.now() - began) / 1000;
  await sleep(2000);
  const after = { ms: await quickestOf(server.url, reads), mb: rssOf(server.pid) };
  const published = performance.now();
  await admin.send('POST', '/', { '@type': 'Page', id: 'news', title: 'News' });
  await admin.send('POST', '/news/@workflow/publish');
  while (counts.events < listeners && performance.now() - published < DELIVERY_MS) await sleep(20);
  const delivered = performance.now() - published;
  const { events, closed } = counts;
  const ratio = after.ms / before.ms;
  console.log(`${listeners} listeners opened in ${opened.toFixed(1)} s, ${closed} were closed`);
  console.log(
    `Memory: ${before.mb.toFixed(0)} MB before, ${after.mb.toFixed(0)} MB after, ${(((after.mb - before.mb) * 1024) / listeners).toFixed(1)} kB a listener`,
  );
  console.log(
    `A visitor's read: ${before.ms.toFixed(2)} ms before, ${after.ms.toFixed(2)} ms after, ratio ${ratio.toFixed(2)}`,
  );
  console.log(`${events} listeners got an event within ${delivered.toFixed(0)} ms of the request for it`);
  const problems = [
    ...(ratio > MAX_RATIO ? [`a read takes ${ratio.toFixed(2)} times as long, ${MAX_RATIO} is the limit`] : []),
    ...(events < listeners ? [`${listeners - events} listeners have got no event in time`] : []),
    ...(closed > 0 ? [`${closed} connections were closed`] : []),
  ];
  await server.stop();
  console.log(problems.length === 0 ? 'PASSED' : `FAILED: ${problems.join('; ')}`);
  return problems.length === 0 ? 0 : 1;
});
