// Reads the feed of changes from several processes on PostgreSQL while they are written to and killed: npm run test:changes -- --help
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { clientOf, connect, UnexpectedAnswer } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

const PROCESSES = 3;
const READERS = 3;
/** The lease of a message that was being sent when its process was killed is a minute. */
const LONGEST_MS = 150_000;

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
});

/** Starts a receiver of webhooks. Returns its address and the ids of the messages that it has taken, with their paths. */
async function startReceiver() {
  const taken = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString());
      taken.set(id, data.path);
      response.writeHead(204).end();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}/`, taken };
}

const since = (cursor, limit) => `/@changes?since=${cursor}&limit=${limit}`;

/** Events without the addresses of the process that was asked. */
const samePlaces = (items) => JSON.parse(JSON.stringify(items).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ''));

/** The objects that a reader has after these events: paths by UIDs. */
function fold(items) {
  const known = new Map();
  for (const { event, UID, after } of items) {
    if (event === 'removed') known.delete(UID);
    else known.set(UID, after.path);
  }
  return [...known].sort();
}

/** Everything that a client sees now, by the list of all content. */
async function listed(client) {
  const items = [];
  for (let query = ''; ; ) {
    const { body } = await client.send('GET', `/@changes?limit=500${query}`);
    items.push(...samePlaces(body.items));
    if (!body.more) return items;
    query = `&since=${body.cursor}`;
  }
}

await runMain(async () => {
  const [kills, seconds] = [Number(options.kills), Number(options.seconds)];
  if (options.help || !(kills >= 0) || !(seconds > 0)) {
    console.log('Usage: npm run test:changes -- [--kills N] [--seconds N]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const receiver = await startReceiver();
  const databaseUrl = await (await postgresServer()).createDatabase();
  const start = async () =>
    startServer({ dataDir: await temporaryDataDir(), databaseUrl, env: { WEBHOOK_PRIVATE_ADDRESSES: '1' } });
  const servers = [await start()];
  while (servers.length < PROCESSES) servers.push(await start());
  const { token } = await connect(servers[0].url);
  const as = { admin: { Authorization: `Bearer ${token}` }, visitor: {} };
  const at = (index, who) => clientOf(servers[index].url, as[who]);
  const hook = { title: 'Receiver', url: receiver.url, audience: 'everything', events: ['created'] };
  await at(0, 'admin').send('POST', '/@webhooks', hook);
  const begun = {};
  for (const who of ['admin', 'visitor']) {
    const items = await listed(at(0, who));
    begun[who] = { items, cursor: (await at(0, who).send('GET', '/@changes?since=now')).body.cursor };
  }
  let isStopped = false;
  let isOver = false;
  const acknowledged = [];
  const counts = { writes: 0, failures: 0 };

  /** Writes to one of the processes until it is stopped. What a killed process did not answer may be done or not. */
  async function write(index) {
    for (let number = 0; !isStopped; number += 1) {
      const path = `/p${index}-${number}`;
      const steps = [
        ['POST', '/', { '@type': 'Folder', id: path.slice(1), title: path }],
        ['POST', `${path}/@workflow/publish`],
        ['PATCH', path, { title: 'Other' }],
        ['PATCH', path, { id: `${path.slice(1)}-moved` }],
        ['POST', `${path}-moved/@workflow/retract`],
        ['DELETE', `${path}-moved`],
      ].slice(0, 1 + (number % 6));
      for (const [method, to, json] of steps) {
        try {
          await at(index, 'admin').send(method, to, json);
          counts.writes += 1;
          if (method === 'POST' && to === '/') acknowledged.push(path);
        } catch (error) {
          counts.failures += 1;
          if (error instanceof UnexpectedAnswer && ![404, 503].includes(error.status)) throw error;
          await sleep(100);
          break;
        }
      }
    }
  }

  /** Reads the feed in pieces from any process, until a piece that was begun after the end of the writes is empty. */
  async function read(who, number) {
    const items = [];
    let cursor = begun[who].cursor;
    for (let piece = number; ; piece += 1) {
      const wasOver = isOver;
      try {
        const { body } = await at(piece % PROCESSES, who).send('GET', since(cursor, 1 + (piece % 7)));
        items.push(...samePlaces(body.items));
        cursor = body.cursor;
        if (wasOver && body.items.length === 0 && !body.more) return items;
      } catch (error) {
        if (error instanceof UnexpectedAnswer && error.status !== 503) throw error;
        await sleep(50);
      }
    }
  }

  const writing = servers.map((_, index) => write(index));
  const reading = ['admin', 'visitor'].flatMap((who) =>
    Array.from({ length: READERS }, async (_, number) => ({ who, items: await read(who, number) })),
  );
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(seconds * 1000);
    const index = kill % PROCESSES;
    await servers[index].kill();
    servers[index] = await start();
    console.log(`Killed process ${index + 1} after ${counts.writes} writes`);
  }
  await sleep(seconds * 1000);
  isStopped = true;
  await Promise.all(writing);
  isOver = true;
  const pieces = await Promise.all(reading);
  const problems = [];
  for (const who of ['admin', 'visitor']) {
    const whole = await read(who, 0);
    for (const { items } of pieces.filter((one) => one.who === who))
      if (!isDeepStrictEqual(items, whole))
        problems.push(`a reader as ${who} has read another feed than the whole one`);
    const now = fold(await listed(at(0, who)));
    if (!isDeepStrictEqual(fold([...begun[who].items, ...whole]), now))
      problems.push(`the feed of ${who} does not lead to what there is`);
    if (new Set(whole.map(({ id }) => id)).size !== whole.length) problems.push(`${who} has got an event twice`);
    console.log(`${who}: ${whole.length} events`);
  }
  const ends = Date.now() + LONGEST_MS;
  const missing = () => {
    const paths = new Set(receiver.taken.values());
    return acknowledged.filter((path) => !paths.has(path));
  };
  while (missing().length > 0 && Date.now() < ends) await sleep(200);
  for (const path of missing()) problems.push(`the webhook of ${path} never came`);
  for (const server of servers) await server.stop();
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  console.log(`${counts.writes} writes, ${counts.failures} without a response, ${receiver.taken.size} messages`);
  console.log(problems.length === 0 ? 'PASSED' : `FAILED: ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
});
