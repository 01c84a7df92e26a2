import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../../../scripts/lib/cleanup.mjs';
import { startClusterIn } from '../../../scripts/lib/postgres.mjs';
import { temporaryDataDir } from '../../../scripts/lib/server.mjs';
import { stopChild } from '../../../scripts/lib/stop-child.mjs';

const PROGRAM = fileURLToPath(new URL('../../stored-server.mjs', import.meta.url));

/** Starts the bare server with a table (`stored-server.mjs`), and a PostgreSQL for it with the settings of the others. */
export async function startStored() {
  const folder = await temporaryDataDir();
  await chmod(folder, 0o755);
  const cluster = await startClusterIn(folder, { durable: true });
  const child = fork(PROGRAM, [cluster.url], { stdio: 'inherit' });
  const stop = onEnd(async () => {
    await stopChild(child);
    await cluster.stop();
  });
  const [{ url }] = await once(child, 'message');
  return { url, stop };
}
