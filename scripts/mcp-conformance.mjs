// Runs the protocol's own checks of servers against the endpoint for agents: npm run test:mcp
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIfStale } from './lib/build.mjs';
import { runMain } from './lib/cleanup.mjs';
import { ROOT } from './lib/root.mjs';
import { startServer, temporaryDataDir } from './lib/server.mjs';

const CONFORMANCE = '@modelcontextprotocol/conformance@0.1.16';
/** The Inspector of the protocol, as docs/mcp.md has it started. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';
const FOLDER = join(ROOT, '.cache/mcp-conformance');
const PROGRAM = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const INSPECTOR_PROGRAM = join(FOLDER, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** The scenarios that ask for no tools, prompts or pages with the names of a test server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

/** Requests of the Inspector, as arguments behind `--method`. */
const INSPECTED = [['tools/list'], ['resources/list'], ['tools/call', '--tool-name', 'list', '--tool-arg', 'path=/']];

/** Runs a program with its output shown. Returns its exit code. */
async function run(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  const [code] = await once(child, 'exit');
  return code;
}

await runMain(async () => {
  if (Number(process.versions.node.split('.')[0]) < 22)
    throw new Error('The checks of the protocol need Node 22 or newer.');
  buildIfStale();
  if (!existsSync(PROGRAM) || !existsSync(INSPECTOR_PROGRAM)) {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, 'package.json'), '{"private": true}\n');
    const install = ['install', '--no-audit', '--no-fund', CONFORMANCE, INSPECTOR];
    if ((await run('npm', install, { cwd: FOLDER })) !== 0)
      throw new Error(`${CONFORMANCE} and ${INSPECTOR} could not be installed.`);
  }
  const server = await startServer({ dataDir: await temporaryDataDir() });
  const failed = [];
  try {
    for (const scenario of SCENARIOS) {
      const args = [PROGRAM, 'server', '--url', `${server.url}/@mcp`, '--scenario', scenario];
      if ((await run(process.execPath, args)) !== 0) failed.push(scenario);
    }
    const inspect = ['--cli', `${server.url}/@mcp`, '--transport', 'http'];
    for (const asked of INSPECTED)
      if ((await run(process.execPath, [INSPECTOR_PROGRAM, ...inspect, '--method', ...asked])) !== 0)
        failed.push(`the Inspector: ${asked[0]}`);
  } finally {
    await server.stop();
  }
  for (const one of failed) console.log(`failed: ${one}`);
  console.log(
    `${SCENARIOS.length + INSPECTED.length - failed.length} of ${SCENARIOS.length + INSPECTED.length} checks passed`,
  );
  return failed.length === 0 ? 0 : 1;
});
