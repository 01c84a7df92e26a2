// A primary with two standbys, PgBouncer, and three processes behind a proxy; all of them are killed at random: npm run test:cluster -- --help
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { startFront } from './front.mjs';
import { runHistories } from './histories.mjs';
import { ask, Ledger, past, read, write } from './ledger.mjs';
import {
  addressOf,
  isClusterInstalled,
  queryAt,
  startPooler,
  startPostgresCluster,
  until,
} from './postgres-cluster.mjs';

const PROCESSES = 3;
const WRITERS = 3;
const READERS = 3;
const START_TIMEOUT_MS = 240_000;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    histories: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
});

/** Everything that can be disturbed. */
async function startEverything() {
  const cluster = await startPostgresCluster({ standbys: 2, isSynchronous: true });
  await cluster.createDatabase('site');
  const [one, two] = cluster.standbys;
  const pooler = await startPooler(cluster.primary);
  const dataDir = await temporaryDataDir();
  const env = {
    DATABASE_DIRECT_URL: addressOf('site', cluster.primary, one),
    DATABASE_REPLICA_URLS: `${addressOf('site', one)} ${addressOf('site', two)}`,
  };
  const processes = Array.from({ length: PROCESSES }, (_, number) => ({ name: `process ${number + 1}`, isDown: true }));
  const start = async (each) => {
    each.server = await startServer({
      dataDir,
      databaseUrl: addressOf('site', pooler),
      env,
      timeout: START_TIMEOUT_MS,
    });
    each.url = each.server.url;
    each.isDown = false;
  };
  for (const each of processes) await start(each);
  return {
    ...{ cluster, pooler, processes, start },
    kill: async (each) => {
      each.isDown = true;
      await each.server.kill();
    },
    /** The primary is lost, its synchronous standby promoted, and everything led there; no process of Canopy is restarted. */
    failOver: async () => {
      await cluster.primary.crash();
      await sleep(Math.random() * 2000);
      await one.promote();
      await pooler.leadTo(one);
      await two.follow(one);
    },
  };
}

/** Kills one thing after another until it is over, and lets each come back. Returns what it did. */
async function disturb({ cluster, pooler, processes, start, kill, failOver }, { isOver, failOverAt }) {
  const done = new Map();
  const count = (what) => done.set(what, (done.get(what) ?? 0) + 1);
  let hasFailedOver = false;
  const acts = {
    async 'process killed'() {
      const each = processes[Math.floor(Math.random() * processes.length)];
      await kill(each);
      await sleep(Math.random() * 1000);
      await start(each);
    },
    async 'replica killed'() {
      const [, asynchronous] = cluster.standbys;
      await asynchronous.crash();
      await sleep(Math.random() * 2000);
      await asynchronous.start();
    },
    async 'replica behind'() {
      for (const each of cluster.standbys.slice(hasFailedOver ? 1 : 0)) {
        await each.lag(true);
        await sleep(500 + Math.random() * 2000);
        await each.lag(false);
      }
    },
    async 'PgBouncer killed'() {
      await pooler.crash();
      await sleep(Math.random() * 500);
      await pooler.start();
    },
    async 'synchronous replica killed'() {
      if (hasFailedOver) return;
      // Writes wait until it is back: nothing is acknowledged that only one server has.
      await cluster.standbys[0].crash();
      await sleep(Math.random() * 1500);
      await cluster.standbys[0].start();
    },
  };
  const names = Object.keys(acts);
  for (let turn = 0; !isOver(); turn += 1) {
    if (!hasFailedOver && failOverAt()) {
      hasFailedOver = true;
      await failOver();
      count('failover');
      await sleep(3000);
      continue;
    }
    const name = names[turn % names.length];
    await acts[name]();
    count(name);
    await sleep(500 + Math.random() * 1500);
  }
  return done;
}

/** Everything that was acknowledged must be there: on each process, and in the database. */
async function compareAll(everything, ledger, token) {
  const { cluster, processes } = everything;
  const rows = await queryAt(
    addressOf('site', cluster.standbys[0]),
    `select path, fields->>'title' as title from content`,
  );
  const stored = new Map(rows.map(({ path, title }) => [path, title]));
  for (const page of ledger.pages) {
    const there = stored.has(page.path) ? { status: 200, body: { title: stored.get(page.path) } } : { status: 404 };
    ledger.check(page, ledger.floorOf(page), { ...there, server: 'the database' }, 'At the end');
    for (const { url, name } of processes) {
      const found = await ask(url, token, 'GET', past(page.path));
      const isSame = found.status === there.status && (found.status === 404 || found.body.title === there.body.title);
      if (!isSame)
        ledger.problems.push(
          `At the end ${page.path} is ${found.status} ${found.body?.title} on ${name} and ${there.status} ${there.body?.title} in the database`,
        );
    }
  }
}

/** How many reads the replicas of each process have answered. */
async function readsOfReplicas(everything, token) {
  const found = [];
  for (const { url } of everything.processes) {
    const { body } = await ask(url, token, 'GET', '/@database');
    found.push((body.replicas ?? []).map(({ state, reads, repeated }) => `${state} ${reads}+${repeated}`).join(', '));
  }
  return found;
}

await runMain(async () => {
  const [seconds, histories] = [Number(options.seconds), Number(options.histories)];
  if (options.help || !(seconds >= 0) || !(histories >= 0)) {
    console.log('Usage: npm run test:cluster -- [--seconds N] [--histories N]');
    return options.help ? 0 : 2;
  }
  if (!isClusterInstalled()) throw new Error("Debian's packages postgresql and pgbouncer are needed");
  buildIfStale();
  const everything = await startEverything();
  const front = await startFront(() => everything.processes);
  const { token } = await connect(front.url);
  const client = (method, path, json) => ask(front.url, token, method, path, json);
  const ledger = new Ledger();
  if (histories > 0) await runHistories({ everything, token, histories, problems: ledger.problems });
  const began = Date.now();
  const isOver = () => Date.now() - began > seconds * 1000 || ledger.problems.length > 0;
  const work = [
    ...Array.from({ length: WRITERS }, (_, n) => write(client, ledger, { name: `w${n}`, isOver })),
    ...Array.from({ length: READERS }, () => read(client, ledger, { isOver })),
  ];
  let done = new Map();
  try {
    done = await disturb(everything, { isOver, failOverAt: () => Date.now() - began > seconds * 600 });
  } catch (error) {
    const { cluster, pooler } = everything;
    for (const { name, output } of [pooler, cluster.primary, ...cluster.standbys])
      console.error(`The last words of ${name}:\n${output.slice(-3000)}`);
    throw error;
  }
  await Promise.all(work);
  if (seconds > 0 && ledger.problems.length === 0) {
    await until('The end of the outage', async () => (await client('GET', '/@search?z=end')).status === 200);
    await compareAll(everything, ledger, token);
    if (!done.has('failover')) ledger.problems.push('There was no failover: give it more --seconds');
    if (ledger.counts.writes === 0) ledger.problems.push('No write was acknowledged');
  }
  console.log(`Disturbed: ${[...done].map(([what, times]) => `${what} ${times}`).join(', ')}`);
  console.log(`Replicas, answered and repeated: ${(await readsOfReplicas(everything, token)).join('; ')}`);
  const { writes, removed, reads, outages } = ledger.counts;
  console.log(
    `${writes} writes and ${removed} removals were acknowledged, ${reads} reads compared, ${outages} times an outage`,
  );
  for (const problem of ledger.problems.slice(0, 20)) console.log(`  ${problem}`);
  console.log(`${ledger.problems.length} problems`);
  return ledger.problems.length === 0 ? 0 : 1;
});
