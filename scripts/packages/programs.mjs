import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { onEnd } from '../lib/cleanup.mjs';
import { clientOf } from '../lib/client.mjs';
import { stopChild } from '../lib/stop-child.mjs';

/** The most milliseconds for the start of a new site, or of a front end. */
const PATIENCE_MS = 180_000;
export const INSTALL = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
/** The address that Canopy prints once it serves. */
export const SERVES = /^Canopy serves (\S+)$/m;

/** Runs a program and returns what it prints. Throws when it fails. */
export function run(command, args, cwd, options = {}) {
  console.log(`> ${command} ${args.join(' ')}`);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

export function check(condition, message) {
  if (!condition) throw new Error(message);
}

/** The lines of commands in the output of a program. Throws for an output without them. */
export function printedCommands(output) {
  const lines = [...output.matchAll(/^ {2}(\S.*)$/gm)].map(([, line]) => line);
  check(lines.length > 0, `No commands are printed: ${output}`);
  return lines;
}

export const environment = (settings) => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...settings });

/** Starts a program in a folder and resolves with the address that it prints. Rejects when it ends instead. */
export function start(command, args, { cwd, env, pattern }) {
  const child = spawn(command, args, { cwd, env: environment(env), detached: true });
  const stop = onEnd(async () => {
    // Programs that npm has started end with it.
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await stopChild(child);
  });
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (text) => {
      output += text;
      const url = pattern.exec(output)?.[1];
      if (url !== undefined) resolve({ url, stop, output: () => output });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('exit', () => reject(new Error(`The program does not serve: ${output}`)));
    setTimeout(() => reject(new Error(`The program does not serve in time: ${output}`)), PATIENCE_MS).unref();
  });
}

/** Throws unless the response to a request contains a text. */
export async function expectText(url, path, text, accept = 'application/json') {
  const response = await fetch(url + path, { headers: { Accept: accept } });
  const body = await response.text();
  check(body.includes(text), `GET ${path} returned ${response.status} without "${text}": ${body.slice(0, 2000)}`);
  console.log(`GET ${path}: ${response.status}, ${body.length} characters with "${text}"`);
}

/** Returns a function that sends JSON to Canopy as admin and returns the body of the response. */
export const senderTo = (url) => {
  const headers = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
  const { send } = clientOf(url, headers);
  return async (method, path, json) => (await send(method, path, json)).body;
};

/** Makes a project with the packed starter and returns its folder and the commands that it prints, without those that enter it. */
export function makeProject(folder, server, frontEnd, addOn) {
  const name = `site-${frontEnd}`;
  const options = ['--front-end', frontEnd, '--add-on', addOn, '--server', server];
  const [enter, ...printed] = printedCommands(
    run('npx', ['--offline', 'create-canopy-server', name, ...options], folder),
  );
  check(enter === `cd ${name}`, `The first command is ${enter}.`);
  return { project: join(folder, name), commands: printed.filter((line) => line !== enter) };
}
