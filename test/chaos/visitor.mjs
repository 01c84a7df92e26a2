import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { send } from './send.mjs';

/** Milliseconds between two requests of a visitor. */
const PAUSE_MS = 50;

/**
 * Starts a visitor that asks for `/` again and again, in a thread of its own, so that the load of the attackers does not
 * distort its times. `leave` ends it and resolves to the requests that it has sent, `{ status, time }[]` in their order,
 * milliseconds.
 */
export function startVisitor(url, from) {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, from } });
  const failed = new Promise((_, reject) => worker.once('error', reject));
  const visits = new Promise((resolve) => worker.once('message', resolve));
  return {
    leave() {
      worker.postMessage('leave');
      return Promise.race([visits, failed]);
    },
  };
}

if (parentPort && workerData?.url) {
  const { url, from } = workerData;
  let isOver = false;
  parentPort.once('message', () => {
    isOver = true;
  });
  const visits = [];
  while (!isOver) {
    visits.push(await send(url, { path: '/', from }));
    await sleep(PAUSE_MS);
  }
  parentPort.postMessage(visits);
}
