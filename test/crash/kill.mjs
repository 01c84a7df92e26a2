// Kills the server with SIGKILL while it is written to, again and again: npm run test:crash -- --help
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { checkTree } from './check-tree.mjs';
import { newLedger, writeUntilKilled } from './writers.mjs';

const CLIENTS = 4;
const SHORTEST_MS = 200;
const LONGEST_MS = 2500;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    engine: { type: 'string', default: 'pglite' },
    help: { type: 'boolean', default: false },
  },
});

/** Writes from all clients and kills the server after a random time. Returns the number of acknowledged writes. */
async function writeAndKill(server, ledger, round) {
  const client = await connect(server.url);
  const before = ledger.writes;
  let killed = false;
  const writing = writeUntilKilled(client, ledger, { clients: CLIENTS, round, killed: () => killed });
  const dying = sleep(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS)).then(() => {
    const gone = server.kill();
    killed = true;
    return gone;
  });
  await Promise.all([writing, dying]);
  return ledger.writes - before;
}

await runMain(async () => {
  const rounds = Number(options.rounds);
  if (options.help || !['pglite', 'postgresql'].includes(options.engine) || !(rounds > 0)) {
    console.log('Usage: npm run test:crash -- [--rounds N] [--engine pglite|postgresql]');
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const dataDir = await temporaryDataDir();
  const databaseUrl = options.engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const ledger = newLedger();
  let server = await startServer({ dataDir, databaseUrl });
  const problems = [];
  for (let round = 1; round <= rounds; round += 1) {
    const writes = await writeAndKill(server, ledger, round);
    server = await startServer({ dataDir, databaseUrl });
    const found = await checkTree(await connect(server.url), ledger);
    console.log(
      `Round ${round}: ${writes} writes, killed, started in ${Math.round(server.startMs)} ms, ${found.length === 0 ? 'all there' : 'DAMAGED'}`,
    );
    for (const problem of found) console.log(`  ${problem}`);
    problems.push(...found);
    if (writes === 0) problems.push(`Round ${round} acknowledged no write`);
    if (found.length > 0) break;
  }
  await server.stop();
  console.log(
    `${options.engine}: ${ledger.writes} acknowledged writes, ${ledger.pages.size} pages, ${problems.length} problems`,
  );
  return problems.length === 0 ? 0 : 1;
});
