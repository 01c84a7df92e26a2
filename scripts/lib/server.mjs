import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from './cleanup.mjs';
import { freePort } from './free-port.mjs';
import { ROOT } from './root.mjs';
import { stopChild } from './stop-child.mjs';

/** Environment variables of the caller's own server that a server started here must not inherit. */
const OWN_SETTINGS =
  /^(PORT|HOST|DATABASE_.*|DATA_DIR|PUBLIC_URL|PROFILE|ADMIN_PASSWORD|SMTP_URL|LLM_.*|EMBEDDING_MODEL|S3_.*)$/;
/** Bytes of a server's output that are kept for error messages. */
const KEPT_OUTPUT = 64 * 1024;

/** A new directory for one server's data; it is removed when this process ends. */
export async function temporaryDataDir() {
  const dir = await mkdtemp(join(tmpdir(), 'canopy-'));
  onEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

async function answers(url) {
  try {
    const response = await fetch(`${url}/@login`, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(5000),
    });
    await response.arrayBuffer();
    return response.status < 500;
  } catch {
    // Refused or reset: the server does not listen yet. The caller's deadline turns this into an error.
    return false;
  }
}

/**
 * Starts the built server and waits until `GET /@login` answers.
 *
 * @param {object} options
 * @param {string} options.dataDir        its DATA_DIR
 * @param {string} [options.databaseUrl]  a PostgreSQL; the embedded database without it
 * @param {Record<string, string>} [options.env]  more settings
 * @param {number} [options.port]         a free port unless given
 * @param {string} [options.program]      the folder of the program; that of this repository unless given
 * @param {number} [options.timeout]      milliseconds until a start counts as failed
 * @param {string[]} [options.nodeArgs]   more arguments of Node
 * @returns url, pid, milliseconds of the start, output(), stop() and kill(), which sends SIGKILL
 */
export async function startServer(options) {
  const { dataDir, databaseUrl, env = {}, port: given, timeout = 60_000, nodeArgs = [], program = ROOT } = options;
  const port = given ?? (await freePort());
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN_SETTINGS.test(name)));
  const started = performance.now();
  // As `npm start` does it.
  const child = spawn(
    process.execPath,
    ['--v8-pool-size=1', ...nodeArgs, join(program, 'dist/bin/canopy.js'), 'start'],
    {
      cwd: program,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        ADMIN_PASSWORD: 'admin',
        ...env,
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  }
  const stop = onEnd(() => stopChild(child));
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The server ended (${child.signalCode ?? child.exitCode}) before it answered:\n${output}`);
    }
    if (performance.now() - started > timeout) {
      await stop();
      throw new Error(`The server did not answer within ${timeout} ms:\n${output}`);
    }
    await sleep(50);
  }
  return {
    url,
    pid: child.pid,
    startMs: performance.now() - started,
    output: () => output,
    stop,
    kill: () => stopChild(child, 'SIGKILL'),
  };
}
