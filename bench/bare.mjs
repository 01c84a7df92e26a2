import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../scripts/lib/cleanup.mjs';
import { stopChild } from '../scripts/lib/stop-child.mjs';

const PROGRAM = fileURLToPath(new URL('./bare-server.mjs', import.meta.url));

/** Starts the bare server in a process of its own; `copy` makes it serve another server's response at `path`. */
export async function startBareServer() {
  const child = fork(PROGRAM, { stdio: 'inherit' });
  onEnd(() => stopChild(child));
  const [{ url }] = await once(child, 'message');
  return {
    url,
    pid: child.pid,
    async copy(path, source, headers) {
      child.send({ path, url: source, headers });
      const [{ error }] = await once(child, 'message');
      if (error !== undefined) throw new Error(error);
    },
  };
}
