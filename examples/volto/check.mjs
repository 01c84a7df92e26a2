// Ports and packages, which are tried before anything is built or started.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Addresses that a server may listen on. A port is free when it is free on each of them that this machine has. */
const HOSTS = ['127.0.0.1', '0.0.0.0', '::'];
/** Errors of a machine without IPv6. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** The error of listening on a port; undefined when it is free. */
const tryPort = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

/** The problem of a port that `name` sets for `program`, in a line; undefined for a free one. */
async function portProblem({ name, port, program, advice }) {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    return `${name} must be a number from 1 to 65535, not "${port}".`;
  for (const host of HOSTS) {
    const error = await tryPort(Number(port), host);
    if (error === undefined || NO_SUCH_ADDRESS.includes(error.code)) continue;
    if (error.code !== 'EADDRINUSE') return `${program} cannot listen on port ${port}: ${error.message}.`;
    return `Port ${port}, for ${program}, is taken by another program. ${advice}`;
  }
  return undefined;
}

/** The problems of the ports of programs, a line each. */
export async function portProblems(wanted) {
  const [first, second] = wanted;
  if (second !== undefined && first.port === second.port)
    return [`${first.name} and ${second.name} are both ${first.port}: each program needs a port of its own.`];
  const problems = await Promise.all(wanted.map(portProblem));
  return problems.filter((problem) => problem !== undefined);
}

/** Installs the packages of a folder where one that it names is missing. Throws when that fails. */
export function installPackages(folder, title) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (Object.keys(dependencies).every((name) => existsSync(join(folder, 'node_modules', name)))) return;
  console.log(`Installing the packages of ${title} in ${folder}.`);
  const npm = process.env.npm_execpath;
  const { status } =
    npm === undefined
      ? spawnSync('npm', ['install'], { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' })
      : spawnSync(process.execPath, [npm, 'install'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(`The packages of ${title} cannot be installed. Run "npm install" in ${folder}, then try again.`);
}
