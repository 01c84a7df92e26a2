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

const VERSION = '0.1.16';
const FOLDER = join(ROOT, '.cache/mcp-conformance');
const PROGRAM = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** The scenarios that ask for no tools, prompts or pages with the names of a test server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'];

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
  if (!existsSync(PROGRAM)) {
    await mkdir(FOLDER, { recursive: true });
    await writeFile(join(FOLDER, 'package.json'), '{"private": true}\n');
    const packageName = `@modelcontextprotocol/conformance@${VERSION}`;
    if ((await run('npm', ['install', '--no-audit', '--no-fund', packageName], { cwd: FOLDER })) !== 0)
      throw new Error(`${packageName} could not be installed.`);
  }
  const server = await startServer({ dataDir: await temporaryDataDir() });
  const failed = [];
  try {
    for (const scenario of SCENARIOS) {
      const args = [PROGRAM, 'server', '--url', `${server.url}/@mcp`, '--scenario', scenario];
      if ((await run(process.execPath, args)) !== 0) failed.push(scenario);
    }
  } finally {
    await server.stop();
  }
  console.log(`${SCENARIOS.length - failed.length} of ${SCENARIOS.length} scenarios passed`);
  return failed.length === 0 ? 0 : 1;
});
