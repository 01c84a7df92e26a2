// Kills the server with SIGKILL while it publishes releases: npm run test:releases -- --help
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';

/** Processes of PostgreSQL's site, of which the first is killed; the embedded database has one. */
const PROCESSES = { pglite: 1, postgresql: 2 };
const ENGINES = Object.keys(PROCESSES);
/** Parts of a release: edits of pages, new pages, and a transition of each of these. */
const [EDITS, NEW] = [20, 10];
const PARTS = EDITS + 2 * NEW;
/** How long a release that is due may wait until a process has taken and published it. */
const LONGEST_MS = 120_000;
/** Milliseconds from the request to the time of a release, in which it is stored. */
const AHEAD_MS = 1500;

const { values: options } = parseArgs({
  options: {
    releases: { type: 'string', default: '6' },
    kills: { type: 'string', default: '3' },
    engine: { type: 'string', default: 'both' },
    help: { type: 'boolean', default: false },
  },
});

const partsOf = (folder) => [
  ...Array.from({ length: EDITS }, (_, i) => ({
    ...{ method: 'PATCH', path: `${folder}/p${i}`, body: { title: `After ${i}` } },
  })),
  ...Array.from({ length: NEW }, (_, i) => [
    { method: 'POST', path: folder, body: { '@type': 'Page', id: `n${i}`, title: `New ${i}` } },
    { method: 'POST', path: `{${EDITS + 2 * i}.@id}/@workflow/publish`, body: {} },
  ]).flat(),
];

/** Makes the pages of a release in a folder of their own, and the release. Returns its id. */
async function makeRelease({ send }, folder) {
  await send('POST', '/', { '@type': 'Folder', id: folder.slice(1), title: folder });
  const pages = Array.from({ length: EDITS }, (_, i) => ({
    ...{ method: 'POST', path: folder, body: { '@type': 'Page', id: `p${i}`, title: 'Before' } },
  }));
  await send('POST', '/@batch', { requests: pages });
  return (await send('POST', '/@releases', { title: folder, parts: partsOf(folder) })).body.id;
}

/** Says how much of a release is there: `all`, `nothing`, or what is there. One response shows one moment. */
async function shown({ send }, folder) {
  const { body } = await send('GET', `/@search?path=${folder}&path.depth=1&metadata_fields=review_state&b_size=100`);
  const edited = body.items.filter(({ title }) => title.startsWith('After')).length;
  const made = body.items.filter(({ title }) => title.startsWith('New'));
  const published = made.filter(({ review_state: state }) => state === 'published').length;
  const others = body.items_total - EDITS - made.length;
  if (edited === EDITS && made.length === NEW && published === NEW && others === 0) return 'all';
  if (edited === 0 && made.length === 0 && others === 0) return 'nothing';
  return `${edited} of ${EDITS} edits, ${made.length} of ${NEW} new pages, ${published} transitions, ${others} others`;
}

/** The problems of a release that has gone live: all of it must be there, done once. */
async function problemsOf(client, folder, id) {
  const { send } = client;
  const problems = [];
  const there = await shown(client, folder);
  if (there !== 'all') problems.push(`${folder} is published with ${there}`);
  for (let i = 0; i < EDITS; i += 1) {
    const { body } = await send('GET', `${folder}/p${i}/@history`);
    const times = body.filter(({ comments }) => comments === `Release: ${folder}`).length;
    if (times !== 1) problems.push(`${folder}/p${i} has ${times} versions of the release`);
  }
  const { body } = await send('GET', `/@audit-log?action=release.published&name=${id}`);
  if (body.items.length !== 1) problems.push(`${folder} was published ${body.items.length} times`);
  return problems;
}

/** Publishes by a request, or has it published by its time. Returns the status of the request; undefined where the response was lost. */
async function publish(client, id, isScheduled) {
  const body = isScheduled ? { at: new Date(Date.now() + AHEAD_MS).toISOString() } : {};
  try {
    return (await client.send('POST', `/@releases/${id}/${isScheduled ? 'schedule' : 'publish'}`, body)).status;
  } catch (error) {
    // The process was killed before the response: it is in doubt what was done.
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}

/** Kills the first process while a release is published, until it is there or the kills are used up. Returns the problems. */
async function killWhilePublishing({ servers, start, publicationMs, counts }, { folder, kills, isScheduled }) {
  const problems = [];
  let client = await connect(servers[0].url);
  const id = await makeRelease(client, folder);
  const stateOf = async () => (await client.send('GET', `/@releases/${id}`)).body.state;
  let state = 'draft';
  for (let kill = 0; kill < kills && state !== 'published'; kill += 1) {
    const asked = state === 'draft' ? publish(client, id, isScheduled) : undefined;
    await sleep((asked && isScheduled ? AHEAD_MS : 0) + Math.random() * publicationMs * 1.2);
    await servers[0].kill();
    const status = await asked;
    servers[0] = await start();
    client = await connect(servers[0].url);
    // A process may publish it between two reads, so the state is read before and afterwards.
    const before = await stateOf();
    const there = await shown(client, folder);
    state = await stateOf();
    if (status === 200 && !isScheduled && before !== 'published')
      problems.push(`${folder} was acknowledged, and is ${before} after a kill`);
    const isWhole = there === 'all' || there === 'nothing';
    if (!isWhole || (before === state && (there === 'all') !== (state === 'published')))
      problems.push(`after a kill ${folder} is ${state}, and there is ${there}`);
    counts.kills += 1;
    if (before !== 'published') counts.unpublished += 1;
  }
  if (state === 'draft') await publish(client, id, isScheduled);
  const end = Date.now() + LONGEST_MS;
  for (state = await stateOf(); state === 'scheduled' && Date.now() < end; state = await stateOf()) await sleep(100);
  if (state !== 'published') problems.push(`${folder} is ${state} in the end`);
  return [...problems, ...(await problemsOf(client, folder, id))];
}

/** Publishes releases with kills on an engine. Returns the problems. */
async function testEngine(engine, { releases, kills }) {
  const databaseUrl = engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const dataDir = await temporaryDataDir();
  const start = () => startServer({ dataDir, databaseUrl });
  const servers = [];
  for (let i = 0; i < PROCESSES[engine]; i += 1) servers.push(await start());
  const client = await connect(servers[0].url);
  const measured = await makeRelease(client, '/measured');
  const began = performance.now();
  await publish(client, measured, false);
  const publicationMs = performance.now() - began;
  const counts = { kills: 0, unpublished: 0 };
  const problems = await problemsOf(client, '/measured', measured);
  for (let i = 1; i <= releases; i += 1) {
    const release = { folder: `/release${i}`, kills, isScheduled: i % 2 === 0 };
    problems.push(...(await killWhilePublishing({ servers, start, publicationMs, counts }, release)));
  }
  if (kills > 0 && counts.unpublished === 0) problems.push('No kill came before a release was published');
  await Promise.all(servers.map((server) => server.stop()));
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  console.log(
    `${engine}: ${releases} releases of ${PARTS} parts (${Math.round(publicationMs)} ms), ${counts.kills} kills, ${counts.unpublished} of them before it was published: ${problems.length} problems`,
  );
  return problems;
}

await runMain(async () => {
  const [releases, kills] = [Number(options.releases), Number(options.kills)];
  const engines = options.engine === 'both' ? ENGINES : ENGINES.filter((engine) => engine === options.engine);
  if (options.help || engines.length === 0 || !(releases > 0) || !(kills >= 0)) {
    console.log('Usage: npm run test:releases -- [--releases N] [--kills N] [--engine pglite|postgresql|both]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const problems = [];
  for (const engine of engines) problems.push(...(await testEngine(engine, { releases, kills })));
  return problems.length === 0 ? 0 : 1;
});
