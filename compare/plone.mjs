// A real Plone for the comparison: installed with pip in an environment of its own, one site, started on loopback.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { freePort } from '../scripts/lib/free-port.mjs';
import { pythonEnvironment } from '../scripts/lib/python.mjs';
import { ROOT } from '../scripts/lib/root.mjs';
import { temporaryDataDir } from '../scripts/lib/server.mjs';
import { stopChild } from '../scripts/lib/stop-child.mjs';

const CACHE = process.env.COMPARE_CACHE ?? join(ROOT, '.cache/compare');
const HERE = join(ROOT, 'compare');
const SCRIPT = join(HERE, 'plone/make-site.py');
const ZCML = join(HERE, 'plone/site.zcml');
const REQUIREMENTS = join(HERE, 'requirements.txt');
/** Milliseconds until a start of Plone counts as failed. */
const START_MS = 180_000;
/** Bytes of Plone's output that are kept for error messages. */
const KEPT_OUTPUT = 64 * 1024;

const hashOf = (...paths) =>
  paths.reduce((hash, path) => hash.update(readFileSync(path)), createHash('sha256')).digest('hex');

/** Does some work unless it was done with the same input; a file beside its result records the input. */
function once(name, key, work) {
  const mark = join(CACHE, `${name}.done`);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === key) return;
  rmSync(mark, { force: true });
  work();
  writeFileSync(mark, key);
}

function zopeConf(home) {
  return `instancehome ${home}
debug-mode off
<zodb_db main>
  <filestorage>
    path ${home}/var/Data.fs
    blob-dir ${home}/var/blobs
  </filestorage>
  mount-point /
</zodb_db>
<environment>
  CHAMELEON_CACHE ${home}/var/cache
</environment>
`;
}

const wsgiIni = (home, port, threads) => `[app:zope]
use = egg:Zope#main
zope_conf = ${home}/etc/zope.conf
[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = ${port}
threads = ${threads}
[pipeline:main]
pipeline = egg:Zope#httpexceptions zope
`;

/** Writes the configuration of an instance of Zope to a folder. */
function configure(home, port, threads = 2) {
  mkdirSync(join(home, 'etc'), { recursive: true });
  mkdirSync(join(home, 'var/cache'), { recursive: true });
  cpSync(ZCML, join(home, 'etc/site.zcml'));
  writeFileSync(join(home, 'etc/zope.conf'), zopeConf(home));
  writeFileSync(join(home, 'etc/zope.ini'), wsgiIni(home, port, threads));
}

/** Creates the site; every run starts from a copy of it. */
function makeSite(program) {
  const home = join(CACHE, 'site');
  rmSync(home, { recursive: true, force: true });
  configure(home, 0);
  console.log('Making a site of Plone.');
  execFileSync(program('zconsole'), ['run', join(home, 'etc/zope.conf'), SCRIPT], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

async function waitFor(url, child, output) {
  const started = performance.now();
  for (;;) {
    try {
      const { status } = await fetch(url, { headers: { Accept: 'application/json' } });
      if (status === 200) return;
    } catch {
      // Plone does not listen yet. The deadline below turns this into an error.
    }
    if (child.exitCode !== null) throw new Error(`Plone ended with ${child.exitCode}:\n${output()}`);
    if (performance.now() - started > START_MS) throw new Error(`Plone did not answer in time:\n${output()}`);
    await sleep(300);
  }
}

/** Installs Plone and creates its site, unless that was done before. Returns its programs by their names, and the folder of the site's data. */
export function installPlone() {
  const program = pythonEnvironment(join(CACHE, 'venv'), REQUIREMENTS, { options: ['--no-deps'] });
  once('site', hashOf(REQUIREMENTS, SCRIPT, ZCML), () => makeSite(program));
  return { program, site: join(CACHE, 'site/var') };
}

/**
 * Starts Plone on the data in the folder `var` of `home`. `prepare` gets the configuration, and the programs, before the server starts.
 * `again()` starts another process at the same address.
 */
export async function servePlone(program, home, { prepare, threads } = {}) {
  const port = await freePort();
  configure(home, port, threads);
  await prepare?.({ conf: join(home, 'etc/zope.conf'), program });
  const url = `http://127.0.0.1:${port}`;
  let kept = '';
  const start = async () => {
    const child = spawn(program('runwsgi'), [join(home, 'etc/zope.ini')], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        kept = (kept + text).slice(-KEPT_OUTPUT);
      });
    const stop = onEnd(() => stopChild(child));
    try {
      await waitFor(`${url}/Plone`, child, () => kept);
    } catch (error) {
      await stop();
      throw error;
    }
    return { child, stop };
  };
  let running = await start();
  return {
    url,
    output: () => kept,
    pid: () => running.child.pid,
    kill: () => stopChild(running.child, 'SIGKILL'),
    stop: () => running.stop(),
    async again() {
      running = await start();
    },
  };
}

/** Starts Plone on a copy of its new site. `prepare` is called before the server starts. */
export async function startPlone({ prepare } = {}) {
  const { program, site } = installPlone();
  const home = await temporaryDataDir();
  cpSync(site, join(home, 'var'), { recursive: true });
  return servePlone(program, home, { prepare });
}
