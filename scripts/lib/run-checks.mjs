import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEnd } from './cleanup.mjs';

const REPORTER = fileURLToPath(new URL('./report-checks.mjs', import.meta.url));
/** The id of a check is the first word of its name: capitals, digits and a small letter. */
const ID = /^[A-Z]+\d+[a-z]?\b/;
/** The id of the failure of a file that could not be loaded or ran too long, so that it never counts as passed. */
const WHOLE_FILE = 'FILE';

const idOf = (name) => ID.exec(name)?.[0] ?? name.split(' ', 1)[0];

function execute(file, report, { env, timeout }) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(
      process.execPath,
      [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${report}`, file],
      {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output = (output + text).slice(-2000);
      });
    }
    let cut = false;
    const timer = setTimeout(() => {
      cut = true;
      child.kill('SIGKILL');
    }, timeout);
    const unregister = onEnd(() => child.kill('SIGKILL'));
    child.once('close', (code) => {
      clearTimeout(timer);
      void unregister();
      resolve({ cut, code, output });
    });
  });
}

function read(text) {
  // The last line of a killed process may be half written.
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/**
 * Runs one file of checks in a process of its own, which is killed after `timeout` milliseconds.
 *
 * @returns `name` of the file without its suffix; counts of `passed`, `failed` and `skipped` checks;
 *   `failures`, a Map of id to message; `ids` of all checks that ran; `cut` when the process was killed.
 *   An id is failed when any check with that id fails.
 */
export async function runChecks(file, { env, timeout }) {
  const name = basename(file).replace(/\.test\.mjs$/, '');
  const dir = await mkdtemp(join(tmpdir(), 'canopy-checks-'));
  const remove = onEnd(() => rm(dir, { recursive: true, force: true }));
  const report = join(dir, 'report');
  const { cut, code, output } = await execute(file, report, { env, timeout });
  const events = read(await readFile(report, 'utf8').catch(() => ''));
  await remove();

  const result = { name, cut, passed: 0, failed: 0, skipped: 0, ids: new Set(), failures: new Map() };
  const fail = (id, message) => {
    result.failed += 1;
    result.ids.add(id);
    if (!result.failures.has(id)) result.failures.set(id, message);
  };
  const ended = events.filter(({ event }) => event !== 'announced');
  for (const { event, name: check, message } of ended) {
    if (event === 'failed') fail(idOf(check), message);
    else {
      result[event] += 1;
      if (event === 'passed') result.ids.add(idOf(check));
    }
  }
  if (cut) {
    const seen = new Set(ended.map((event) => event.name));
    const open = events.filter((event) => event.event === 'announced' && ID.test(event.name) && !seen.has(event.name));
    for (const event of open) fail(idOf(event.name), `not finished after ${timeout} ms`);
  }
  if ((cut || code !== 0) && result.failed === 0) fail(WHOLE_FILE, cut ? `killed after ${timeout} ms` : output);
  return result;
}
