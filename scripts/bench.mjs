// Measures the built server against a bare one, all in one run: npm run bench -- --help
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startBareServer } from '../bench/bare.mjs';
import { flameGraph } from '../bench/day/flame-graph.mjs';
import { PEERS } from '../bench/day/names.mjs';
import { benchDay, benchRows, prepareDay, SUBJECTS } from '../bench/day/run.mjs';
import { dayTable, profileTable, rowsTable } from '../bench/day/table.mjs';
import { writeTable } from '../bench/doc-table.mjs';
import { measureAll } from '../bench/measure.mjs';
import { measurePictures } from '../bench/pictures/run.mjs';
import { picturesTable } from '../bench/pictures/table.mjs';
import { makeMeasuredContent, makeMeasuredPicture } from '../bench/scenarios.mjs';
import { measureSearches } from '../bench/search.mjs';
import { searchCells, searchHeads, searchTable } from '../bench/search-table.mjs';
import { seedSite } from '../bench/seed-site.mjs';
import { processTable, ratioText, speedTable } from '../bench/speed-table.mjs';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { connect } from './lib/client.mjs';
import { postgresServer } from './lib/postgres.mjs';
import { ROOT } from './lib/root.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const USAGE = `Usage: npm run bench -- [options]
  --quick          one round of one second each, to see that it works
  --rounds N       rounds of each scenario (default 3)
  --seconds N      seconds of each round (default 3)
  --documents N    documents on each site beside the measured ones (default 0)
  --engine pglite|postgresql|both   default both
  --from-database  keeps no rows, so that cold responses are read from the database each time
  --write          writes the table of docs/speed.md anew
  --search A,B     searches on PostgreSQL instead, without kept responses and rows, on sites of so many documents, such as 1000,100000
  --requests N     requests of each search (default 60)
  --pictures       scales of photos instead, cold and stored, at the embedded database or --systems; needs Linux
  --day            a day of a site instead, beside Nick and Plone: visitors, members, editors, an import and a restart, then reads from
                   the database; --documents N (default 20000) pages
  --systems A,B    with --day or --pictures: these of ${Object.keys(SUBJECTS).join(', ')}
  --cache FOLDER   with --systems: where Nick, Plone and filled sites are kept for the next time (default .cache/bench)
  --prepare        with --day: only installs and fills what is missing
  --no-rows        with --day: without the reads from the database
  --only-rows      with --day: only the reads from the database, and writes
Ratios are requests a second to those of a bare Fastify server that sends the same bytes.
Figures go to bench/results-latest.json too.`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    documents: { type: 'string', default: '0' },
    engine: { type: 'string', default: 'both' },
    'from-database': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    search: { type: 'string' },
    requests: { type: 'string', default: '60' },
    pictures: { type: 'boolean', default: false },
    day: { type: 'boolean', default: false },
    systems: { type: 'string' },
    cache: { type: 'string', default: join(ROOT, '.cache/bench') },
    prepare: { type: 'boolean', default: false },
    'no-rows': { type: 'boolean', default: false },
    'only-rows': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const ENGINES = { pglite: ['pglite'], postgresql: ['postgresql'], both: ['pglite', 'postgresql'] };

const megabytes = (kilobytes) => Math.round(Number(kilobytes) / 1024);

/** Megabytes of memory of a process now, and at its peak where the system tells that. */
async function memory(pid) {
  const memoryMB = megabytes(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  if (process.platform !== 'linux') return { memoryMB };
  const [, peak] = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { memoryMB, peakMB: megabytes(peak) };
}

/** Figures of the process of a site: how fast it started with a new one and with what it is now, and its memory. */
async function processFigures({ name, server, again }) {
  const used = await memory(server.pid);
  await server.stop();
  const { startMs } = await startServer(again);
  return { name, startMs: Math.round(server.startMs), restartMs: Math.round(startMs), ...used };
}

async function prepare(engine) {
  const databaseUrl =
    engine === 'postgresql' ? await (await postgresServer({ durable: true })).createDatabase() : undefined;
  const env = options['from-database'] ? { ROW_CACHE_MB: '0' } : {};
  const again = { dataDir: await temporaryDataDir(), databaseUrl, env };
  const server = await startServer(again);
  const client = await connect(server.url);
  await makeMeasuredContent(client);
  await makeMeasuredPicture(client);
  const documents = Number(options.documents);
  if (documents > 0) {
    const started = performance.now();
    await seedSite(client, { documents });
    console.log(`${engine}: ${documents} documents in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  return { name: engine, url: server.url, server, again, client };
}

function cell(figures, bare) {
  if (figures === undefined) return ''.padStart(24);
  const ratio = bare === undefined || bare === figures ? '' : ` ${ratioText(figures, bare)}`;
  const errors = figures.errors > 0 ? ` ${figures.errors} ERRORS` : '';
  return `${Math.round(figures.perSecond)}${ratio}${errors}`.padStart(24);
}

function printRow({ name, targets, figures }, engines) {
  const wanted = targets === undefined ? '' : engines.map((engine) => targets[engine]).join(' / ');
  const cells = ['bare', ...engines].map((column) => cell(figures[column], figures.bare));
  console.log(`${name.padEnd(30)}${cells.join('')}  ${wanted}`);
}

/** Seconds of a measurement of a day for each second of a round of the others. */
const DAY_SECONDS = 4;

/** The systems that the options name, or those that are measured unasked. */
function systemsOr(usual) {
  const names = options.systems?.split(',') ?? usual;
  const unknown = names.find((name) => !(name in SUBJECTS));
  if (unknown !== undefined) throw new Error(`There is no system ${unknown}; --help names them.`);
  return names;
}

/** The site of a day, of which each measurement gets a copy. */
const siteOfDay = () => ({ cache: resolve(options.cache), documents: Number(options.documents) || 20_000 });

/** Writes the profile of a day, with its flame graph. */
async function writeProfile(profile, run) {
  await writeTable('profile', profileTable(profile, run), 'docs/speed-profile.md');
  const title = `Canopy on PostgreSQL in a day of a site, ${run.date.slice(0, 10)}`;
  await writeFile(join(ROOT, 'docs/pictures/day.svg'), flameGraph(profile.folded, title));
}

/** Measures a day of a site at several systems, and writes its tables where that is asked for. */
async function day() {
  const names = systemsOr(Object.keys(SUBJECTS));
  const seconds = options.quick ? 2 : Number(options.seconds) * DAY_SECONDS;
  const { documents } = siteOfDay();
  const setting = { ...siteOfDay(), seconds };
  if (options.prepare) return (await prepareDay(names, setting)).length > 0 ? 1 : 0;
  const now = () => ({ date: new Date().toISOString(), machine: machineNow() });
  const show = async (name, table) => {
    console.log(`\n${table}`);
    if (options.write) await writeTable(name, table);
  };
  const days = options['only-rows'] ? [] : await benchDay(names, setting);
  if (days.length > 0) {
    const run = { documents, ...now() };
    await show('day', dayTable({ ...run, days, seconds }));
    const profile = days.find((result) => result.profile)?.profile;
    if (profile) console.log(`\n${profileTable(profile, run)}`);
    if (profile && options.write) await writeProfile(profile, run);
  }
  if (!options['no-rows'])
    await show('rows', rowsTable(await benchRows(names, { ...siteOfDay(), ...roundsOfRows(options.quick) }), now()));
  return days.some(isBad) ? 1 : 0;
}

/** Rounds of the rows are many and short, because a machine is not always as fast. */
const roundsOfRows = (isQuick) => ({ seconds: 1, rounds: isQuick ? 1 : 5 });

const isBad = ({ name, failed, stale, lacking }) =>
  failed !== undefined || (!PEERS.includes(name) && (stale > 0 || Object.keys(lacking).length > 0));

const machineNow = () => ({
  ...{ node: process.version, cpu: cpus()[0]?.model, cores: cpus().length },
  load: loadavg()[0],
});

/** Measures searches, prints each result, and writes the table where that is asked for. */
async function benchSearches() {
  const setting = { sizes: options.search.split(',').map(Number), requests: Number(options.requests) };
  let isFirst = true;
  const print = (name, cells) => console.log(name.padEnd(40) + cells.map((cell) => String(cell).padStart(20)).join(''));
  const measured = await measureSearches(setting, (result) => {
    if (isFirst) print('\nmilliseconds', searchHeads(result, setting.sizes));
    isFirst = false;
    print(result.name, searchCells(result));
  });
  const table = searchTable({ ...setting, ...measured, date: new Date().toISOString(), machine: machineNow() });
  console.log(table.slice(table.lastIndexOf('\n')));
  if (options.write) await writeTable('searches', table);
}

/** Measures the scales of pictures, and writes their table where that is asked for. */
async function benchPictures() {
  const rounds = options.quick ? 1 : Number(options.rounds);
  const setting = { ...siteOfDay(), rounds, progress: (text) => console.log(text) };
  const measured = await measurePictures(systemsOr(['pglite']), setting);
  const table = picturesTable({ ...measured, rounds, date: new Date().toISOString(), machine: machineNow() });
  console.log(`\n${table}`);
  if (options.write) await writeTable('pictures', table);
}

await runMain(async () => {
  const engines = ENGINES[options.engine];
  if (options.help || engines === undefined) {
    console.log(USAGE);
    return options.help ? 0 : 2;
  }
  buildIfStale();
  if (options.day) return day();
  if (options.pictures) {
    await benchPictures();
    return 0;
  }
  if (options.search !== undefined) {
    await benchSearches();
    return 0;
  }
  const bare = await startBareServer();
  const servers = [];
  for (const engine of engines) servers.push(await prepare(engine));

  console.log(
    `\n${'requests a second'.padEnd(30)}${['bare', ...engines].map((name) => name.padStart(24)).join('')}  ratios to reach`,
  );
  const setting = {
    bare,
    servers,
    rounds: options.quick ? 1 : Number(options.rounds),
    seconds: options.quick ? 1 : Number(options.seconds),
  };
  const scenarios = await measureAll(setting, (result) => printRow(result, engines));

  console.log('');
  const processes = [];
  for (const server of servers) processes.push(await processFigures(server));
  console.log(processTable(processes));
  const machine = machineNow();
  const documents = Number(options.documents);
  const results = {
    date: new Date().toISOString(),
    machine,
    documents,
    rounds: setting.rounds,
    seconds: setting.seconds,
    processes,
    scenarios,
  };
  await writeFile(join(ROOT, 'bench/results-latest.json'), `${JSON.stringify(results, null, 2)}\n`);
  if (options.write) await writeTable('bench', speedTable(results, engines));
  const errors = scenarios.some(({ figures }) => Object.values(figures).some((figure) => figure.errors > 0));
  if (errors) console.log('Some requests failed: the figures beside ERRORS are not to be trusted.');
  return errors ? 1 : 0;
});
