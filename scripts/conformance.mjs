// Runs the conformance checks against a fresh server: npm run conformance -- --help
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { compareWithKnown, readKnownFailures, writeKnownFailures } from './lib/known-failures.mjs';
import { postgresServer } from './lib/postgres.mjs';
import { ROOT } from './lib/root.mjs';
import { runChecks } from './lib/run-checks.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const USAGE = `Usage: npm run conformance -- [options]
  --engine pglite|postgresql|both   database of the server (default pglite)
  --only content,auth               these files of checks only
  --timeout SECONDS                 after which a file is cut (default 180)
  --update                          write conformance/known-failures.json anew
CONFORMANCE_DIR is the folder of the checks, TEST_DATABASE_URL a PostgreSQL to use. With SMTP_SINK=1
the checks of mails run, too, which take them at SMTP_PORT (2525); with LLM_STUB=1 those of a language
model, which answer at LLM_PORT (11434).
Exit code 1: a check fails that is not in the list, or one in the list passes.`;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'pglite' },
    only: { type: 'string' },
    timeout: { type: 'string', default: '180' },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const ENGINES = { pglite: ['pglite'], postgresql: ['postgresql'], both: ['pglite', 'postgresql'] };

/** Settings of the server for the language model that the checks start. */
const STUB_SETTINGS =
  process.env.LLM_STUB === '1'
    ? { LLM_URL: `http://127.0.0.1:${process.env.LLM_PORT ?? 11434}/v1`, LLM_MODEL: 'qwen3' }
    : {};

async function checkFiles() {
  const folder = resolve(ROOT, process.env.CONFORMANCE_DIR ?? '../shared/conformance');
  if (!existsSync(folder))
    throw new Error(`There are no checks at ${folder}. Set CONFORMANCE_DIR to the folder that holds them.`);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.test.mjs')).sort();
  if (options.only === undefined) return names.map((name) => join(folder, name));
  const wanted = options.only.split(',').map((name) => `${name.trim()}.test.mjs`);
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No such checks in ${folder}: ${unknown.join(', ')}`);
  return wanted.map((name) => join(folder, name));
}

function printRow(name, run, known) {
  const expected = [...run.failures.keys()].filter((id) => known.includes(id)).length;
  const cells = [run.passed, run.failed, expected, run.skipped].map((count) => String(count).padStart(8));
  console.log(`${name.padEnd(18)}${cells.join('')}${run.cut ? '  cut' : ''}`);
}

async function runEngine(engine, files, known) {
  const databaseUrl = engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const server = await startServer({ dataDir: await temporaryDataDir(), databaseUrl, env: STUB_SETTINGS });
  console.log(`\n${engine}: ${server.url}, started in ${Math.round(server.startMs)} ms`);
  console.log(
    `${'file'.padEnd(18)}${['passed', 'failed', 'known', 'skipped'].map((title) => title.padStart(8)).join('')}`,
  );
  const results = [];
  for (const file of files) {
    const run = await runChecks(file, {
      env: { BASE_URL: server.url, ADMIN: 'admin:admin' },
      timeout: Number(options.timeout) * 1000,
    });
    printRow(run.name, run, known[run.name] ?? []);
    results.push({ ...run, engine });
  }
  await server.stop();
  return results;
}

await runMain(async () => {
  const engines = ENGINES[options.engine];
  if (options.help || engines === undefined || !(Number(options.timeout) > 0)) {
    console.log(USAGE);
    return options.help ? 0 : 2;
  }
  buildIfStale();
  const files = await checkFiles();
  const known = await readKnownFailures();
  const results = [];
  for (const engine of engines) results.push(...(await runEngine(engine, files, known)));

  const { unexpected, recovered } = compareWithKnown(known, results);
  const sum = (count) => results.reduce((total, run) => total + run[count], 0);
  console.log('');
  for (const { engine, name, id, message } of unexpected) {
    console.log(`FAILED ${name} ${id} (${engine}): ${message.replace(/\s+/g, ' ').slice(0, 200)}`);
  }
  if (options.update) await writeKnownFailures(known, results);
  else
    for (const { name, id } of recovered)
      console.log(`PASSED ${name} ${id}: take it off conformance/known-failures.json (--update)`);
  const bad = !options.update && unexpected.length + recovered.length > 0;
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return bad ? 1 : 0;
});
