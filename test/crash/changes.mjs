// Reads the feed of changes as each kind of caller while processes are written to and killed: npm run test:changes -- --help
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { clientOf, connect, UnexpectedAnswer } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

/** Processes of PostgreSQL's site; the embedded database has one. */
const PROCESSES = { postgresql: 3, pglite: 1 };
const WRITERS = 3;
/** Readers of each caller. */
const READERS = 3;
/** The most items of a piece. */
const MAX_PIECE = 25;
/** The callers of the permission matrix: each is a Member with the role of its name; `owner` owns what one of the writers makes. */
const ROLES = {
  ...{ anonymous: undefined, member: [], reader: ['Reader'], editor: ['Editor'], contributor: ['Contributor'] },
  ...{ reviewer: ['Reviewer'], owner: [], 'site-administrator': ['Site Administrator'], manager: ['Manager'] },
};
const CALLERS = Object.keys(ROLES);
const PASSWORD = 'Long-enough-77!';
/** The lease of a message that was being sent when its process was killed is a minute. */
const LONGEST_MS = 150_000;

const { values: options } = parseArgs({
  options: {
    kills: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '4' },
    engine: { type: 'string', default: 'postgresql' },
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

/** Adds the callers, and a folder in which `owner` may make content. Returns the headers of each caller, and of the administrator. */
async function addCallers(url) {
  const { token, send } = await connect(url);
  const as = { admin: { Authorization: `Bearer ${token}` }, anonymous: {} };
  for (const name of CALLERS.slice(1)) {
    const person = {
      username: name,
      email: `${name}@example.org`,
      password: PASSWORD,
      roles: ['Member', ...ROLES[name]],
    };
    await send('POST', '/@users', person);
    as[name] = { Authorization: `Bearer ${(await connect(url, { login: name, password: PASSWORD })).token}` };
  }
  await send('POST', '/', { '@type': 'Folder', id: 'home', title: 'Home' });
  await send('POST', '/home/@sharing', { entries: [{ id: 'owner', type: 'user', roles: { Contributor: true } }] });
  return as;
}

/** The steps of a write: a folder is made by its author, published, changed, moved, shared, hidden again and removed. */
function stepsOf(index, number) {
  const [author, container] = index === 0 ? ['owner', '/home'] : ['admin', ''];
  const name = `p${index}-${number}`;
  const [path, moved] = [`${container}/${name}`, `${container}/${name}-moved`];
  const share = (on) => ({ entries: [{ id: 'member', type: 'user', roles: { Reader: on } }] });
  const steps = [
    [author, 'POST', container || '/', { '@type': 'Folder', id: name, title: path }],
    ['admin', 'POST', `${path}/@workflow/publish`],
    ['admin', 'PATCH', path, { title: 'Other' }],
    ['admin', 'PATCH', path, { id: `${name}-moved` }],
    ['admin', 'POST', `${moved}/@workflow/retract`],
    ['admin', 'POST', `${moved}/@sharing`, share(true)],
    ['admin', 'POST', `${moved}/@sharing`, share(false)],
    ['admin', 'DELETE', moved],
  ];
  return { path, steps: steps.slice(0, 1 + (number % steps.length)) };
}

await runMain(async () => {
  const [kills, seconds] = [Number(options.kills), Number(options.seconds)];
  const processes = PROCESSES[options.engine];
  if (options.help || !(kills >= 0) || !(seconds > 0) || processes === undefined) {
    console.log('Usage: npm run test:changes -- [--kills N] [--seconds N] [--engine pglite|postgresql]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const receiver = await startReceiver();
  const databaseUrl = options.engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const folder = await temporaryDataDir();
  const start = async () =>
    startServer({
      dataDir: databaseUrl === undefined ? folder : await temporaryDataDir(),
      databaseUrl,
      env: { WEBHOOK_PRIVATE_ADDRESSES: '1' },
    });
  const servers = [await start()];
  while (servers.length < processes) servers.push(await start());
  const as = await addCallers(servers[0].url);
  const at = (index, who) => clientOf(servers[index % processes].url, as[who]);
  const hook = { title: 'Receiver', url: receiver.url, audience: 'everything', events: ['created'] };
  await at(0, 'admin').send('POST', '/@webhooks', hook);
  const begun = {};
  for (const who of CALLERS) {
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
      const { path, steps } = stepsOf(index, number);
      for (const [who, method, to, json] of steps) {
        try {
          await at(index, who).send(method, to, json);
          counts.writes += 1;
          if (json?.['@type'] !== undefined) acknowledged.push(path);
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
  async function read(who, sizeOfPiece) {
    const items = [];
    let cursor = begun[who].cursor;
    for (;;) {
      const wasOver = isOver;
      try {
        const { body } = await at(Math.floor(Math.random() * processes), who).send('GET', since(cursor, sizeOfPiece()));
        items.push(...samePlaces(body.items));
        cursor = body.cursor;
        if (body.items.length === 0) {
          if (wasOver && !body.more) return items;
          await sleep(50);
        }
      } catch (error) {
        if (error instanceof UnexpectedAnswer && error.status !== 503) throw error;
        await sleep(50);
      }
    }
  }

  const writing = Array.from({ length: WRITERS }, (_, index) => write(index));
  const randomPiece = () => 1 + Math.floor(Math.random() * MAX_PIECE);
  const reading = CALLERS.flatMap((who) =>
    Array.from({ length: READERS }, async () => ({ who, items: await read(who, randomPiece) })),
  );
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(seconds * 1000);
    const index = kill % processes;
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
  for (const who of CALLERS) {
    const whole = await read(who, () => 500);
    for (const { items } of pieces.filter((one) => one.who === who))
      if (!isDeepStrictEqual(items, whole))
        problems.push(`a reader as ${who} has read another feed than the whole one`);
    const now = fold(await listed(at(0, who)));
    if (!isDeepStrictEqual(fold([...begun[who].items, ...whole]), now))
      problems.push(`the feed of ${who} does not lead to what there is`);
    if (new Set(whole.map(({ id }) => id)).size !== whole.length) problems.push(`${who} has got an event twice`);
    for (const [, path] of now)
      await at(0, who)
        .send('GET', path)
        .catch((error) => problems.push(`${who} may not see ${path} of the feed: ${error.message}`));
    console.log(`${who}: ${whole.length} events, ${now.length} objects, the same for ${READERS} readers`);
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
