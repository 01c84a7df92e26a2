import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../../../scripts/lib/cleanup.mjs';
import { freePort } from '../../../scripts/lib/free-port.mjs';
import { ROOT } from '../../../scripts/lib/root.mjs';
import { temporaryDataDir } from '../../../scripts/lib/server.mjs';
import { stopChild } from '../../../scripts/lib/stop-child.mjs';

const PROGRAM = 'varnishd';
const START_MS = 20_000;
const KEPT_OUTPUT = 2000;
const MEMORY = '256m';

/**
 * Starts Varnish with the configuration of examples/varnish before a site of Canopy. Needs Debian's packages `varnish` and
 * `varnish-modules`.
 */
export async function startVarnish(siteUrl) {
  const folder = await temporaryDataDir();
  const file = join(folder, 'canopy.vcl');
  const example = await readFile(join(ROOT, 'examples/varnish/canopy.vcl'), 'utf8');
  await writeFile(file, example.replace('.port = "8080"', `.port = "${new URL(siteUrl).port}"`));
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    PROGRAM,
    [
      ...['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file, '-a', new URL(url).host],
      ...['-T', 'none', '-s', `malloc,${MEMORY}`],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  let failure;
  child.once('error', (error) => {
    failure = error;
  });
  const stop = onEnd(() => (child.pid === undefined ? undefined : stopChild(child)));
  const started = performance.now();
  while (!(await isUp(url))) {
    if (failure !== undefined) throw new Error('Varnish is not installed.', { cause: failure });
    if (child.exitCode !== null || performance.now() - started > START_MS) {
      await stop();
      throw new Error(`Varnish did not start:\n${output}`);
    }
    await sleep(100);
  }
  return { url, pid: child.pid, stop };
}

const isUp = (url) =>
  fetch(`${url}/@site`, { headers: { Accept: 'application/json' } }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );
