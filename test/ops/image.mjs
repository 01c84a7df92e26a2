// Does what the Dockerfile says without a container engine, and runs the result as a container would: npm run test:image
// It needs root, for namespaces. With NPM_INSTALL=1 packages are installed by "npm install" instead of "npm ci": for mirrors of the registry
// that lack the optional packages of other platforms.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentOf, listOf, parseDockerfile, valuesOf } from './dockerfile.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PORT = '18097';
/** Of Debian's package util-linux. */
const UNSHARE = '/usr/bin/unshare';
/** A user whom no file of this machine names. */
const USER = String(20_000 + Math.floor(Math.random() * 40_000));
const WAIT_MS = 120_000;

const [build, image] = parseDockerfile(join(ROOT, 'Dockerfile'));
const work = mkdtempSync(join(tmpdir(), 'canopy-jail-'));
const [stage, tree, data, root] = ['build', 'canopy', 'data', 'root'].map((name) => join(work, name));
for (const folder of [stage, tree, data, root]) mkdirSync(folder);
execFileSync('chmod', ['-R', '0755', work]);
execFileSync('chown', ['10001:0', data]);
execFileSync('chmod', ['0770', data]);

/** Does the COPY instructions of a stage that take files of `from`. */
function copyFiles(stageOf, from, to, isOf) {
  for (const { value, flags } of valuesOf(stageOf, 'COPY')) {
    if (!isOf(flags)) continue;
    const parts = value.split(' ');
    const target = parts.pop();
    for (const source of parts) {
      const name = source.replace(/^\/build\//, '');
      const path = target === './' ? join(to, name.split('/').at(-1)) : join(to, target);
      cpSync(join(from, name), path, {
        recursive: true,
        // As COPY does it: links of npm workspaces stay relative.
        verbatimSymlinks: true,
        filter: (file) => from !== ROOT || !/\/(?:node_modules|dist)$/.test(file),
      });
    }
  }
}

/** Runs a command of the image in the jail. */
function run(args, { environment = {}, detached = false } = {}) {
  const settings = Object.entries({ ...environmentOf(image), PORT, ...environment }).map((pair) => pair.join('='));
  const command = ['--ignore-environment', 'PATH=/usr/local/bin:/usr/bin:/bin', ...settings, ...args];
  const jail = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts', 'sh', join(ROOT, 'test/ops/jail.sh')];
  const all = [...jail, root, tree, data, USER, ...command];
  return detached
    ? spawn(UNSHARE, all, { stdio: ['ignore', 'pipe', 'pipe'] })
    : spawnSync(UNSHARE, all, { encoding: 'utf8', timeout: WAIT_MS });
}

const [, ...health] = valuesOf(image, 'HEALTHCHECK').flatMap(({ value }) => [value, ...listOf(value)]);
const entry = listOf(valuesOf(image, 'ENTRYPOINT')[0].value);
const start = [...entry, ...listOf(valuesOf(image, 'CMD')[0].value)];

const problems = [];
const say = (text) => console.log(text);
function check(isRight, text) {
  say(`${isRight ? 'ok ' : 'NOT'} ${text}`);
  if (!isRight) problems.push(text);
}

/** The health check of the image, which shares the network with this machine. */
const isHealthy = () => run(health).status === 0;

async function until(isTrue) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    if (isTrue()) return true;
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Starts the image. `stop` sends SIGTERM to process 1 and returns how it has ended. */
async function startImage(environment) {
  const child = run(start, { environment, detached: true });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  let isOver = false;
  void ended.then(() => (isOver = true));
  await until(() => isOver || isHealthy());
  return {
    output: () => output,
    isOver: () => isOver,
    async stop() {
      const [one] = execFileSync('pgrep', ['--parent', String(child.pid)], { encoding: 'utf8' })
        .trim()
        .split('\n');
      const began = Date.now();
      process.kill(Number(one), 'SIGTERM');
      return { ...(await ended), ms: Date.now() - began };
    },
    first: () =>
      Number(
        execFileSync('pgrep', ['--parent', String(child.pid)], { encoding: 'utf8' })
          .trim()
          .split('\n')[0],
      ),
  };
}

const address = `http://127.0.0.1:${PORT}`;
const authorization = `Basic ${Buffer.from('admin:correct-horse').toString('base64')}`;
const ask = async (method, path, json) => {
  const headers = { Authorization: authorization, Accept: 'application/json', 'Content-Type': 'application/json' };
  return fetch(address + path, { method, headers, ...(json && { body: JSON.stringify(json) }) });
};

try {
  say('Build stage: the files that it copies, then its commands');
  copyFiles(build, ROOT, stage, ({ from }) => from === undefined);
  for (const { value } of valuesOf(build, 'RUN')) {
    const [program, ...args] = listOf(value).map((arg) =>
      process.env.NPM_INSTALL === '1' && arg === 'ci' ? 'install' : arg,
    );
    say(`   ${[program, ...args].join(' ')}`);
    execFileSync(program, args, { cwd: stage, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  copyFiles(image, stage, tree, ({ from }) => from === 'build');
  copyFiles(image, ROOT, tree, ({ from }) => from === undefined);
  check(
    !existsSync(join(tree, 'src')) && !existsSync(join(tree, 'node_modules/typescript')),
    'the image has no sources, no compiler',
  );
  const megabytes = Number(execFileSync('du', ['-sm', tree], { encoding: 'utf8' }).split('\t')[0]);
  say(`   ${megabytes} MB of program`);

  const version = run([...entry, '--version']);
  check(
    version.status === 0 && /^canopy \d/.test(version.stdout),
    `a command runs: ${version.stdout.trim() || version.stderr}`,
  );
  const whoami = run([
    'node',
    '-e',
    "console.log(process.pid, process.getuid(), process.getgid(), process.env.HOME); try { require('fs').writeFileSync('/canopy/x', ''); console.log('written') } catch (error) { console.log(error.code) }",
  ]);
  check(
    whoami.stdout === `1 ${USER} 0 undefined\nEROFS\n`,
    `process 1, user ${USER}, no HOME, read-only: ${JSON.stringify(whoami.stdout)}${whoami.stderr}`,
  );
  check(!isHealthy(), 'the health check fails while nothing runs');

  const first = await startImage({ ADMIN_PASSWORD: 'correct-horse' });
  check(isHealthy(), 'the first start gets healthy');
  check(statSync(`/proc/${first.first()}`).uid === Number(USER), 'process 1 has the user of the start');
  const made = await ask('POST', '/', { '@type': 'Page', title: 'Kept', id: 'kept' });
  check(made.status === 201, `content is written (${made.status})`);
  const picture = {
    filename: 'a.svg',
    data: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'content-type': 'image/svg+xml',
  };
  check(
    (await ask('POST', '/', { '@type': 'Image', title: 'Picture', image: picture })).status === 201,
    'a picture is written',
  );
  const ended = await first.stop();
  check(ended.code === 0 && ended.signal === null, `SIGTERM ends process 1 with code ${ended.code} in ${ended.ms} ms`);

  const second = await startImage({});
  check((await ask('GET', '/kept')).status === 200, 'a restart has the data');
  check(!second.output().includes('password of admin'), 'a restart makes no new site');
  await second.stop();
  check(
    readdirSync(data).every((name) => !name.startsWith('canopy-')),
    `no temporary files are left: ${readdirSync(data)}`,
  );
  if (problems.length > 0) say(`${first.output()}\n${second.output()}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
say(problems.length === 0 ? 'All is as it should be' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
