// Writes while the server is killed, its database is cut off and clients leave, then attacks it: npm run test:chaos -- --help
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { seedSite } from '../../bench/seed-site.mjs';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { checkTree } from '../crash/check-tree.mjs';
import { newLedger, writeUntilKilled } from '../crash/writers.mjs';
import { attack } from './attack.mjs';
import { attackWithBodies } from './bodies.mjs';
import { clockLibrary, jumpClock } from './clock.mjs';
import { attackWithCostlyWork } from './costly.mjs';
import { proxyOf } from './cutting-proxy.mjs';
import { flood } from './flood.mjs';
import { send } from './send.mjs';
import { attackWithSilence } from './silent.mjs';
import { attackWithSilentServices } from './silent-services.mjs';

const WRITERS = 4;
const LEAVERS = 10;
const START_TIMEOUT_MS = 240_000;
/** Documents of the site that is attacked. */
const DOCUMENTS = 1000;
/** How often the server is killed while it gets hostile requests. */
const FLOODS = 4;

/** Attacks each on a server of its own: with `{ start, startServer, databaseUrl, duration }` they return their problems. */
const ATTACKS = {
  bodies: attackWithBodies,
  silence: attackWithSilence,
  services: attackWithSilentServices,
  costly: attackWithCostlyWork,
};

const { values: options } = parseArgs({
  options: {
    attacks: { type: 'boolean', default: false },
    attack: { type: 'string', multiple: true },
    engine: { type: 'string', default: 'both' },
    requests: { type: 'string', default: '20000' },
    long: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { rounds, attackMs } = options.long ? { rounds: 60, attackMs: 60_000 } : { rounds: 4, attackMs: 8_000 };

/** Cuts the connections to the database at random moments until the round is over, and sometimes rejects new ones. */
async function cutAtRandom(proxy, isOver) {
  while (!isOver()) {
    await sleep(100 + Math.random() * 900);
    proxy.cut();
    if (Math.random() > 0.3) continue;
    proxy.refuse(true);
    await sleep(Math.random() * 400);
    proxy.refuse(false);
  }
  proxy.refuse(false);
}

/** Sends expensive requests and disconnects before the response; reports each status of 500 or above. */
async function leaveAtRandom(url, isOver, problems) {
  while (!isOver()) {
    const leaveAfter = Math.random() < 0.8 ? Math.random() * 200 : undefined;
    const { status } = await send(url, { path: `/@search?fullobjects&b_size=200&z=${Math.random()}`, leaveAfter });
    if (status === 500) problems.push('A search was answered with 500');
  }
}

/**
 * One round: all disturbances at once until the server is killed. Then it is restarted, and its content compared with the
 * acknowledged writes.
 */
async function disturb({ start, proxy, ledger, round, problems }) {
  const server = await start();
  const client = await connect(server.url);
  const before = ledger.writes;
  let killed = false;
  const isOver = () => killed;
  const work = [
    writeUntilKilled(client, ledger, { clients: WRITERS, round, killed: isOver, outages: proxy !== undefined }),
    ...Array.from({ length: LEAVERS }, () => leaveAtRandom(server.url, isOver, problems)),
    ...(proxy ? [cutAtRandom(proxy, isOver)] : []),
    sleep(1000 + Math.random() * 4000).then(async () => {
      const gone = server.kill();
      killed = true;
      await gone;
    }),
  ];
  await Promise.all(work);
  const again = await start();
  problems.push(...(await checkTree(await connect(again.url), ledger)));
  await again.stop();
  console.log(`Round ${round}: ${ledger.writes - before} acknowledged writes, ${problems.length} problems so far`);
}

/**
 * Sends hostile requests while pages are written, kills the server, and compares what is left with what it acknowledged. The
 * rounds share the requests.
 */
async function floodAndKill({ start, ledger, round, requests, problems }) {
  const server = await start();
  const client = await connect(server.url);
  let killed = false;
  const writing = writeUntilKilled(client, ledger, {
    clients: 1,
    round: `flood ${round}`,
    killed: () => killed,
    outages: true,
  });
  const { statuses, faults } = await flood(server.url, client, requests);
  const gone = server.kill();
  killed = true;
  await Promise.all([gone, writing]);
  console.log(`Hostile requests, round ${round}: ${JSON.stringify(statuses)}`);
  for (const fault of faults.slice(0, 20))
    problems.push(`A hostile request met a fault: ${JSON.stringify(fault).slice(0, 1000)}`);
  const again = await start();
  problems.push(...(await checkTree(await connect(again.url), ledger)));
  await again.stop();
}

async function runEngine(engine) {
  console.log(`\n${engine}`);
  const database = engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const proxy = database === undefined ? undefined : await proxyOf(database);
  const dataDir = await temporaryDataDir();
  const start = (env) => startServer({ dataDir, databaseUrl: proxy?.url, env, timeout: START_TIMEOUT_MS });
  const problems = [];
  if (!options.attacks && !options.attack) await runRounds({ start, proxy, dataDir, problems });
  const own = { start, startServer, databaseUrl: database, duration: attackMs };
  for (const name of options.attack ?? Object.keys(ATTACKS)) problems.push(...(await ATTACKS[name](own)));
  for (const problem of problems) console.log(`  ${problem}`);
  return problems.length;
}

/** Everything that is done to one site after the other: kills, cut connections, clocks, hostile requests and loads. */
async function runRounds({ start, proxy, dataDir, problems }) {
  const ledger = newLedger();
  for (let round = 1; round <= rounds && problems.length === 0; round += 1)
    await disturb({ start, proxy, ledger, round, problems });
  const library = clockLibrary();
  if (library === undefined) console.log('The clock does not jump: Debian\'s package "faketime" is not installed');
  else if (problems.length === 0) await jumpClock({ start, dataDir, library, ledger, problems });
  for (let round = 1; round <= FLOODS && problems.length === 0; round += 1)
    await floodAndKill({ start, ledger, round, requests: Math.ceil(Number(options.requests) / FLOODS), problems });
  if (ledger.writes === 0) problems.push('No write was acknowledged');
  const server = await start();
  await seedSite(await connect(server.url), { documents: DOCUMENTS, publish: true });
  for (const name of ['leaving', 'mix']) {
    const figures = await attack(server, name, { duration: attackMs });
    console.log(`Attack "${name}": ${JSON.stringify(figures)}`);
    if (figures.attackers[500] || figures.visits[500]) problems.push(`The attack "${name}" met answers of 500`);
  }
  await server.stop();
}

await runMain(async () => {
  const engines = options.engine === 'both' ? ['pglite', 'postgresql'] : [options.engine];
  const isKnown =
    engines.every((engine) => ['pglite', 'postgresql'].includes(engine)) &&
    (options.attack ?? []).every((name) => Object.hasOwn(ATTACKS, name));
  if (options.help || !isKnown) {
    const names = Object.keys(ATTACKS).join('|');
    console.log(
      `Usage: npm run test:chaos -- [--engine pglite|postgresql|both] [--requests N] [--long] [--attacks] [--attack ${names}]...`,
    );
    return options.help ? 0 : 2;
  }
  buildIfStale();
  let problems = 0;
  for (const engine of engines) problems += await runEngine(engine);
  return problems === 0 ? 0 : 1;
});
