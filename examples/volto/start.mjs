// Starts Canopy with the profile "plone" and Volto in front of it: npm start
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildVolto } from './build.mjs';
import { installPackages, portProblems } from './check.mjs';

const here = import.meta.dirname;
/** "config" of package.json may name a Canopy that something else starts. */
const { config = {} } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const { API_PORT = '8080', PORT = '3000', API_URL = config.api } = process.env;
/** The address of a running Canopy, or of the one that is started here. */
const canopy = API_URL ?? `http://127.0.0.1:${API_PORT}`;
const site = `http://localhost:${PORT}`;
/** Characters of a line of Volto's errors that are shown: Node prints the line of an error, and Volto's program is one of 3 MB. */
const MAX_LINE_LENGTH = 500;
const children = [];

function run(program, { stderr = 'inherit', ...options }) {
  const child = spawn(process.execPath, program, {
    ...options,
    stdio: ['inherit', 'inherit', stderr],
    env: { ...process.env, ...options.env },
  });
  children.push(child);
  child.on('exit', (code) => stop(code ?? 1));
  return child;
}

function stop(code) {
  process.exitCode ??= code;
  for (const child of children) child.kill();
}

async function waitFor(url) {
  for (;;) {
    const isServed = await fetch(url, { headers: { Accept: 'application/json' } }).then(
      () => true,
      // It does not listen yet.
      () => false,
    );
    // If a program ends, this one ends as well, whatever else listens there.
    if (process.exitCode !== undefined) process.exit();
    if (isServed) return;
    await sleep(200);
  }
}

function startVolto() {
  const { stderr } = run([join(here, 'volto/build/server.js')], {
    cwd: join(here, 'volto'),
    stderr: 'pipe',
    env: { NODE_ENV: 'production', PORT, RAZZLE_INTERNAL_API_PATH: canopy, RAZZLE_DEV_PROXY_API_PATH: canopy },
  });
  createInterface({ input: stderr }).on('line', (line) =>
    console.error(line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)} …` : line),
  );
}

async function start() {
  const volto = { name: 'PORT', port: PORT, program: 'Volto' };
  const api = { name: 'API_PORT', port: API_PORT, program: 'Canopy' };
  const problems = await portProblems([
    { ...volto, advice: 'Choose another one: PORT=3001 npm start' },
    ...(API_URL === undefined
      ? [{ ...api, advice: `Choose another one: API_PORT=8081 npm start, or use a Canopy there: API_URL=${canopy}` }]
      : []),
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  installPackages(here, 'Volto');
  const program = API_URL === undefined ? await import('./canopy.mjs') : undefined;
  program?.buildCanopy();
  buildVolto();
  if (program) run(...program.canopyProgram({ port: API_PORT, site }));
  else console.log(`Waiting for Canopy at ${canopy}.`);
  await waitFor(`${canopy}/@site`);
  startVolto();
  await waitFor(`http://127.0.0.1:${PORT}/ok`);
  console.log(`Volto shows the site at ${site}. Log in as "admin" at ${site}/login`);
}

process.once('SIGINT', () => stop(130));
process.once('SIGTERM', () => stop(143));
try {
  await start();
} catch (error) {
  console.error(error.message);
  stop(1);
}
