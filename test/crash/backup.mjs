// Makes backups while clients write, restores each, and compares: npm run test:backup -- --help
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfStale } from '../../scripts/lib/build.mjs';
import { onEnd, runMain } from '../../scripts/lib/cleanup.mjs';
import { connect } from '../../scripts/lib/client.mjs';
import { postgresServer } from '../../scripts/lib/postgres.mjs';
import { ROOT } from '../../scripts/lib/root.mjs';
import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { checkRestored, Writer } from './backup-writers.mjs';

const VISIT_PAUSE_MS = 10;
/** Milliseconds of writing before the first backup, and between two. */
const WARM_UP_MS = 4000;
const PAUSE_MS = 1500;
/** Milliseconds for a start and for a request on a busy machine. */
const PATIENCE_MS = 300_000;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '8' },
    engine: { type: 'string', default: 'both' },
    pages: { type: 'string', default: '0' },
    beside: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const ms = (value) => `${Math.round(value)} ms`;

/** Runs a command of the built program. Returns its output; throws when it fails. */
async function canopy(args, environment) {
  const child = spawn(process.execPath, [join(ROOT, 'dist/bin/canopy.js'), ...args], {
    env: { PATH: process.env.PATH, ADMIN_PASSWORD: 'admin', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onEnd(() => child.kill('SIGKILL'));
  let [out, said] = ['', ''];
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`canopy ${args.join(' ')} ended with ${code}: ${said}`);
  return out;
}

/** Reads pages one after the other; the times are kept apart for those during a backup. */
function startVisitor(client, paths) {
  const times = { without: [], during: [] };
  const state = { backup: false, ended: false };
  const visiting = (async () => {
    for (let i = 0; !state.ended; i += 1) {
      const started = performance.now();
      const before = state.backup;
      await client.send('GET', paths[i % paths.length]);
      times[before || state.backup ? 'during' : 'without'].push(performance.now() - started);
      await sleep(VISIT_PAUSE_MS);
    }
  })();
  const end = () => {
    state.ended = true;
    return visiting;
  };
  return { times, state, end };
}

/** Fills a site, so that a backup takes a while. */
async function fill(client, pages) {
  const text = 'Words that stand in every page. '.repeat(60);
  await client.send('POST', '/', { '@type': 'Folder', id: 'many', title: 'Many' });
  for (let from = 0; from < pages; from += 10)
    await Promise.all(
      Array.from({ length: Math.min(10, pages - from) }, (_, i) =>
        client.send('POST', '/many', {
          '@type': 'Page',
          id: `page-${from + i}`,
          title: `Page ${from + i}`,
          description: text.slice(0, 500),
        }),
      ),
    );
}

async function proveOn(engine, { rounds, clients, pages, beside }) {
  const postgres = engine === 'postgresql' ? await postgresServer() : undefined;
  const newPlace = async () => ({
    DATA_DIR: await temporaryDataDir(),
    ...(postgres ? { DATABASE_URL: await postgres.createDatabase() } : {}),
  });
  const serve = (place) =>
    startServer({ dataDir: place.DATA_DIR, databaseUrl: place.DATABASE_URL, timeout: PATIENCE_MS });
  const original = await newPlace();
  const target = join(await temporaryDataDir(), 'backups');
  await mkdir(target);
  const server = await serve(original);
  const client = await connect(server.url, { timeout: PATIENCE_MS });
  await fill(client, pages);
  const writers = Array.from({ length: clients }, (_, i) => new Writer(client, `writer-${i}`));
  for (const writer of writers) await writer.begin();
  let isOver = false;
  const writing = writers.map(async (writer) => {
    while (!isOver) await writer.step();
  });
  const failed = Promise.all(writing);
  failed.catch(() => {});
  const visitor = startVisitor(client, ['/', '/many?b_size=20', '/writer-0/a', '/@search?SearchableText=writer']);
  await sleep(WARM_UP_MS);
  const backups = [];
  const problems = [];
  /** Restores a backup into a new place and compares it with what the clients know. */
  const check = async (backup, index) => {
    const place = await newPlace();
    const started = performance.now();
    await canopy(['restore', target, `--backup=${backup.id}`, '--json'], place);
    const took = performance.now() - started;
    const restored = await serve(place);
    const reader = await connect(restored.url, { timeout: PATIENCE_MS });
    const found = [];
    for (const [number, { name }] of writers.entries()) {
      const [before, end] = [backup.before[number], backup.ends[number]];
      // Pages that the client had before, and has removed or was removing at the end.
      const gone = new Set([...before.pages.keys()].filter((id) => !end.pages.has(id)));
      found.push(...(await checkRestored(reader, { name, before, after: { ...end, gone } })));
    }
    await restored.stop();
    console.log(
      `${engine} ${index + 1}: ${backup.rows} rows, ${backup.files} files (${backup.copied.files} new), backup ${ms(backup.took)}, restore ${ms(took)}, ${found.length === 0 ? 'equal' : 'DIFFERENT'}`,
    );
    for (const problem of found) console.log(`  ${problem}`);
    problems.push(...found);
  };
  let checked = 0;
  const checkNext = async () => {
    for (; checked < backups.length; ) {
      checked += 1;
      await check(backups[checked - 1], checked - 1);
    }
  };
  let checking = Promise.resolve();
  for (let round = 1; round <= rounds; round += 1) {
    const before = writers.map((writer) => writer.acknowledged());
    visitor.state.backup = true;
    const started = performance.now();
    const summary = JSON.parse(await canopy(['backup', target, '--json'], original));
    const took = performance.now() - started;
    visitor.state.backup = false;
    const ends = writers.map((writer) => ({ ...writer.lastSent(), pages: new Map(writer.pages) }));
    backups.push({ ...summary, took, before, ends });
    if (beside) checking = Promise.all([checking, checkNext()]);
    checking.catch(() => {});
    await sleep(PAUSE_MS);
  }
  isOver = true;
  await failed;
  await visitor.end();
  await server.stop();
  await checking;
  await checkNext();
  const writes = writers.reduce((sum, writer) => sum + writer.writes, 0);
  const { without, during } = visitor.times;
  const took = backups.map((backup) => backup.took);
  const last = backups.at(-1);
  console.log(
    `${engine}: ${backups.length} backups while ${clients} clients sent ${writes} writes; backup ${ms(percentile(took, 0.5))} (most ${ms(Math.max(...took))}), ` +
      `database ${(last.databaseBytes / 1e6).toFixed(2)} MB compressed, files ${(last.fileBytes / 1e6).toFixed(2)} MB; ` +
      `visitor p50/p99/most without ${[0.5, 0.99, 1].map((share) => ms(percentile(without, share))).join(' / ')} (${without.length}), ` +
      `during ${[0.5, 0.99, 1].map((share) => ms(percentile(during, share))).join(' / ')} (${during.length}); ${problems.length} problems`,
  );
  return problems.length;
}

await runMain(async () => {
  const [rounds, clients, pages] = [Number(options.rounds), Number(options.clients), Number(options.pages)];
  const engines = options.engine === 'both' ? ['pglite', 'postgresql'] : [options.engine];
  if (
    options.help ||
    !(rounds > 0) ||
    !(clients > 0) ||
    !engines.every((one) => ['pglite', 'postgresql'].includes(one))
  ) {
    console.log(
      'Usage: npm run test:backup -- [--rounds N] [--clients N] [--pages N] [--beside] [--engine pglite|postgresql|both]',
    );
    return options.help ? 0 : 2;
  }
  buildIfStale();
  let problems = 0;
  for (const engine of engines) problems += await proveOn(engine, { rounds, clients, pages, beside: options.beside });
  return problems === 0 ? 0 : 1;
});
