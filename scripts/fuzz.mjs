// Sends requests made up from the OpenAPI document to the built server: npm run test:fuzz -- --help
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { KNOWN_VALUES, MEMBER, tend } from '../fuzz/site.mjs';
import { summaryOf } from '../fuzz/summary.mjs';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { clientOf } from './lib/client.mjs';
import { postgresServer } from './lib/postgres.mjs';
import { pythonEnvironment } from './lib/python.mjs';
import { ROOT } from './lib/root.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const USAGE = `Usage: npm run test:fuzz -- [options]
  --engine NAME   pglite, postgresql or both (default)
  --cases N       requests of each engine, about (default 20000)
  --seed N        the same number makes the same requests
Installs schemathesis from PyPI in .cache/fuzz, and sends valid and broken requests for all operations as an administrator,
as a member and as nobody. Exit code 1: an answer of 500 or above, or a failure in the log of the server.`;

const { values: options } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    help: { type: 'boolean', default: false },
  },
});

const basic = (login, password) => `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** The callers, each with its share of the cases and their kind: the limits of all values once, or random values. */
const CALLERS = {
  administrator: { authorization: basic('admin', 'admin'), share: 0.6, phases: 'coverage,fuzzing' },
  member: { authorization: basic(MEMBER.username, MEMBER.password), share: 0.25, phases: 'fuzzing' },
  nobody: { authorization: undefined, share: 0.15, phases: 'fuzzing' },
};

/** The OpenAPI document of the administrator, extended so that path parameters sometimes name existing things. */
async function describe(url) {
  const response = await fetch(`${url}/@openapi`, { headers: { Authorization: CALLERS.administrator.authorization } });
  const document = await response.json();
  let operations = 0;
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      operations += 1;
      for (const parameter of operation.parameters ?? []) {
        const known = parameter.in === 'path' ? KNOWN_VALUES[parameter.name] : undefined;
        if (known) parameter.schema = { anyOf: [{ enum: known }, { enum: known }, parameter.schema] };
      }
    }
  }
  return { document, operations };
}

/** Runs schemathesis once and returns its report, line by line. Throws when schemathesis itself fails. */
async function attack(program, { url, description, report, authorization, phases, examples }) {
  const child = spawn(
    program('st'),
    [
      ...['run', description, '--url', url, '--phases', phases, '--checks', 'not_a_server_error'],
      ...['--max-examples', String(examples), '--seed', options.seed, '--no-shrink'],
      ...['--continue-on-failure', '--suppress-health-check', 'all', '--request-timeout', '60', '--warnings', 'off'],
      ...['--report', 'ndjson', '--report-ndjson-path', report],
      ...(authorization ? ['--header', `Authorization:${authorization}`] : []),
    ],
    {
      // Schemathesis writes files to its working folder.
      cwd: dirname(report),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: join(ROOT, 'fuzz'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output = (output + text).slice(-20_000);
  });
  const [code] = await once(child, 'exit');
  // 1 means that checks have failed, which the report shows.
  if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}:\n${output}`);
}

async function fuzz(engine, program) {
  const dataDir = await temporaryDataDir();
  const databaseUrl = engine === 'postgresql' ? await (await postgresServer()).createDatabase() : undefined;
  const server = await startServer({ dataDir, databaseUrl, timeout: 240_000 });
  // The password is sent with each request, because cases end sessions.
  const gardener = clientOf(server.url, { Authorization: CALLERS.administrator.authorization });
  const problems = [];
  const leave = await tend(gardener, problems);
  const { document, operations } = await describe(server.url);
  const description = join(dataDir, 'openapi.json');
  writeFileSync(description, JSON.stringify(document));
  const send = async ([name, { authorization, share, phases }]) => {
    const examples = Math.max(1, Math.round((Number(options.cases) * share) / operations));
    const report = join(dataDir, `${name}.ndjson`);
    await attack(program, { url: server.url, description, report, authorization, phases, examples });
    const { requests, statuses, failures } = await summaryOf(report);
    console.log(`${engine} as ${name}: ${requests} requests to ${operations} operations, ${JSON.stringify(statuses)}`);
    problems.push(...failures);
  };
  await Promise.all(Object.entries(CALLERS).map(send));
  await leave();
  const failed = server
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'));
  problems.push(...failed.map((line) => `In the log: ${line.slice(0, 2000)}`));
  await server.stop();
  return problems;
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  await buildIfStale();
  const program = pythonEnvironment(join(ROOT, '.cache/fuzz'), join(ROOT, 'fuzz/requirements.txt'));
  console.log(`Seed ${options.seed}`);
  let found = 0;
  for (const engine of options.engine === 'both' ? ['pglite', 'postgresql'] : [options.engine]) {
    const problems = await fuzz(engine, program);
    for (const problem of problems.slice(0, 50)) console.log(problem);
    found += problems.length;
  }
  console.log(`${found} problems`);
  return found === 0 ? 0 : 1;
});
