import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { send } from './send.mjs';

/** Milliseconds between two requests of one kind. */
const PAUSE_MS = 150;

/**
 * Starts callers of other networks than those of the attackers, one for each of `requests` (`{ name, method, path, headers, body }`),
 * who send theirs again and again, in a thread of their own, so that the work of the attackers does not distort their times.
 * `leave` ends them and resolves to what they met: `{ name, status, time }[]`, milliseconds.
 */
export function startCallers(url, requests) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { caller: true, url, requests } });
  const failed = new Promise((_, reject) => worker.once('error', reject));
  const calls = new Promise((resolve) => worker.once('message', resolve));
  return {
    leave() {
      worker.postMessage('leave');
      return Promise.race([calls, failed]);
    },
  };
}

if (parentPort && workerData?.caller) {
  const { url, requests } = workerData;
  let isOver = false;
  parentPort.once('message', () => {
    isOver = true;
  });
  const calls = [];
  await Promise.all(
    requests.map(async ({ name, headers, ...request }) => {
      for (let n = 0; !isOver; n += 1) {
        const network = `10.200.${n % 250}.1`;
        const { status, time } = await send(url, { ...request, headers: { ...headers, 'X-Forwarded-For': network } });
        calls.push({ name, status, time });
        await sleep(PAUSE_MS);
      }
    }),
  );
  parentPort.postMessage(calls);
}
