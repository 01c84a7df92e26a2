// Generates clients from the OpenAPI document of the built server, and uses them: npm run test:generators -- --help
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { summaryOf } from '../fuzz/summary.mjs';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { connect } from './lib/client.mjs';
import { pythonEnvironment } from './lib/python.mjs';
import { ROOT } from './lib/root.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const USAGE = `Usage: npm run test:generators -- [--examples N] [--seed N]
Starts a site, and from its OpenAPI document makes types with openapi-typescript, which a program with openapi-fetch uses, and a
client with openapi-python-client, which a program in Python uses. Then schemathesis sends N requests (2) to each operation that reads,
and compares the responses with the document. Installs all of them in .cache/generators. Exit code 1: something does not fit.`;

const { values: options } = parseArgs({
  options: {
    examples: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

const SOURCE = join(ROOT, 'test/generators');
const FOLDER = join(ROOT, '.cache/generators');
const NODE = join(FOLDER, 'node');
/** The versions of the generators in TypeScript; those in Python are in `test/generators/requirements.txt`. */
const TOOLS = { 'openapi-fetch': '0.17.0', 'openapi-typescript': '7.13.0', typescript: '5.9.3' };
/** Values of content that are `unknown` in the types, at most: those of which the server takes any, and further members of open objects. */
const MAX_UNKNOWN = 60;
/** Schemathesis makes `items` of `prefixItems` within `patternProperties`, and then rejects the schema that it has made. */
const NOT_COMPARED = '/@relations';
const CHECKS = 'not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance';

/** Runs a program and returns what it prints. Throws with it when the program fails. */
function run(command, args, settings = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...settings,
  });
  if (error) throw error;
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`.slice(0, 20_000));
  return `${stdout}${stderr}`;
}

/** Installs the generators in TypeScript, unless they are there. */
function installTools() {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: TOOLS });
  const file = join(NODE, 'package.json');
  if (existsSync(file) && readFileSync(file, 'utf8') === manifest && existsSync(join(NODE, 'node_modules'))) return;
  mkdirSync(NODE, { recursive: true });
  writeFileSync(file, manifest);
  run('npm', ['install', '--no-audit', '--no-fund'], { cwd: NODE });
}

/** The environment of Python. Throws with what is missing. */
function python() {
  try {
    execFileSync('python3', ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))'], { stdio: 'ignore' });
  } catch {
    throw new Error('The generators in Python need "python3", version 3.11 or newer, with its module venv.');
  }
  return pythonEnvironment(join(FOLDER, 'venv'), join(SOURCE, 'requirements.txt'));
}

/** The types of content in the output of openapi-typescript, without the operations: how many values are `unknown`. */
function unknownOf(types) {
  const begin = types.indexOf('export interface components');
  const end = types.indexOf('export interface operations');
  if (begin < 0 || end < begin) throw new Error('openapi-typescript writes another form than expected.');
  const all = types.match(/\bunknown\b/g)?.length ?? 0;
  return { all, content: types.slice(begin, end).match(/\bunknown\b/g)?.length ?? 0 };
}

/** The types of TypeScript, and the program that uses them. */
function tryTypeScript(url, token, description) {
  const source = join(NODE, 'src');
  mkdirSync(source, { recursive: true });
  const program = (name) => join(NODE, 'node_modules/.bin', name);
  run(program('openapi-typescript'), [description, '-o', join(source, 'api.d.ts')]);
  const { all, content } = unknownOf(readFileSync(join(source, 'api.d.ts'), 'utf8'));
  console.log(`openapi-typescript: ${content} values of content are unknown, ${all} altogether`);
  if (content > MAX_UNKNOWN) throw new Error(`${content} values of content are unknown, ${MAX_UNKNOWN} are allowed`);
  copyFileSync(join(SOURCE, 'program.ts'), join(source, 'program.ts'));
  const flags = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', '--outDir', 'out'];
  run(program('tsc'), [...flags, 'src/program.ts'], { cwd: NODE });
  console.log(`openapi-fetch: ${run(process.execPath, [join(NODE, 'out/program.js'), url, token]).trim()}`);
}

/** The client in Python, and the program that uses it. */
function tryPython(program, url, description) {
  const output = join(FOLDER, 'python', 'canopy_client');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(dirname(output), { recursive: true });
  const args = ['generate', '--path', description, '--output-path', output, '--overwrite', '--meta', 'none'];
  // The generator calls a formatter that is installed beside it.
  const env = { ...process.env, PATH: `${dirname(program('python'))}${delimiter}${process.env.PATH}` };
  const config = ['--config', join(SOURCE, 'config.json')];
  const printed = run(program('python'), [join(SOURCE, 'generate.py'), ...args, ...config], { env });
  if (/WARNING|Unable/.test(printed))
    throw new Error(`openapi-python-client leaves something out:\n${printed.slice(0, 5000)}`);
  const called = run(program('python'), [join(SOURCE, 'program.py'), dirname(output), url, 'admin', 'admin']);
  console.log(`openapi-python-client: ${called.trim()}`);
}

/** Reads everything by requests that schemathesis makes up. Returns the responses that do not fit the document. */
async function compare(program, url, description, folder) {
  const report = join(folder, 'schemathesis.ndjson');
  const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
  const { status, stdout, stderr } = spawnSync(
    program('st'),
    [
      ...[
        'run',
        description,
        '--url',
        url,
        '--phases',
        'examples,fuzzing',
        '--checks',
        CHECKS,
        '--exclude-path',
        NOT_COMPARED,
        '--include-method',
        'GET',
      ],
      ...['--max-examples', options.examples, '--seed', options.seed, '--no-shrink', '--continue-on-failure'],
      ...['--suppress-health-check', 'all', '--request-timeout', '60', '--warnings', 'off'],
      ...['--report', 'ndjson', '--report-ndjson-path', report, '--header', `Authorization:${authorization}`],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const { requests, statuses } = await summaryOf(report);
  console.log(`schemathesis: ${requests} requests, ${JSON.stringify(statuses)}`);
  if (status === 0) return;
  const found = stdout.slice(Math.max(0, stdout.search(/=+ (?:ERRORS|FAILURES) =+/)));
  throw new Error(`schemathesis ended with ${status}:\n${found.slice(0, 10_000)}${stderr.slice(0, 5000)}`);
}

await runMain(async () => {
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  await buildIfStale();
  const program = python();
  installTools();
  const folder = await temporaryDataDir();
  const server = await startServer({ dataDir: folder, timeout: 240_000 });
  const admin = await connect(server.url);
  await admin.send('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
  await admin.send('POST', '/news', { '@type': 'Page', id: 'today', title: 'Today', subjects: ['sun'] });
  const description = join(folder, 'openapi.json');
  writeFileSync(description, JSON.stringify((await admin.send('GET', '/@openapi')).body));
  tryTypeScript(server.url, admin.token, description);
  tryPython(program, server.url, description);
  await compare(program, server.url, description, folder);
  await server.stop();
  return 0;
});
