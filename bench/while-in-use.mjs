import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathOf } from '../scripts/lib/client.mjs';
import { median } from './load.mjs';
import { repeat as repeatWork } from './repeat.mjs';

/** Objects that have to be moved in a second. */
const MOVED_IN_TIME = 10_000;
const INTERVAL_MS = 25;
/** How long people write while the site is indexed, before the process is killed and after it. */
const WRITING_MS = 15_000;

/** The most memory that a process has taken so far, in megabytes. */
export const peakOf = (pid) =>
  Math.round((Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024) / 1e6);

/** Sends requests one after the other, with a pause between two, until it is stopped. */
const repeat = (send) => repeatWork(send, () => INTERVAL_MS);

const told = (times) =>
  `${times.length}, median ${median(times).toFixed(0)} ms, slowest ${Math.max(...times).toFixed(0)} ms`;

/**
 * Moves a tenth of the site into a folder, on into another one and back into the root, while others read and write elsewhere. Returns
 * whether each move was in time.
 */
export async function measureMove({ url, client, reader }) {
  for (const id of ['archive', 'shelf']) {
    await client.send('POST', '/', { '@type': 'Folder', id, title: id });
    await client.send('POST', `/${id}/@workflow/publish`, {});
  }
  const [inside, outside] = ['/section-1/folder-2/part-1', '/section-2/folder-2/part-1'];
  const { items_total: objects } = (await client.send('GET', '/@search?path=/section-1&b_size=1')).body;
  let slowest = 0;
  for (const [source, target] of [
    ['/section-1', '/archive'],
    ['/archive/section-1', '/shelf'],
    ['/shelf/section-1', ''],
  ]) {
    const readers = {
      elsewhere: repeat((n) => reader.send('GET', `${outside}?z=${n}`)),
      'of what is moved': repeat(() => follow(reader, [inside, `/archive${inside}`, `/shelf${inside}`])),
    };
    const writer = repeat((n) => client.send('PATCH', outside, { description: `Changed ${n}` }));
    await sleep(1000);
    const started = performance.now();
    await move(url, client.token, { source, target });
    const seconds = (performance.now() - started) / 1000;
    slowest = Math.max(slowest, seconds);
    console.log(`\n${objects} objects moved from ${source} to ${target || '/'} in ${seconds.toFixed(1)} s; meanwhile`);
    for (const [what, running] of Object.entries(readers))
      console.log(`  reads ${what}: ${told(await running.stop())}`);
    console.log(`  writes elsewhere: ${told(await writer.stop())}`);
  }
  // As it was, for the next measurement of the same site.
  for (const id of ['archive', 'shelf']) await client.send('DELETE', `/${id}`);
  return slowest <= Math.max(1, objects / MOVED_IN_TIME);
}

/** Moves something, however long it takes. */
async function move(url, token, { source, target }) {
  const response = await fetch(`${url}${target}/@move`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ source }),
    signal: AbortSignal.timeout(600_000),
  });
  if (!response.ok) throw new Error(`The move answered ${response.status}: ${await response.text()}`);
}

/** Reads what is at one of two addresses, whichever it is at present. */
async function follow(reader, paths) {
  for (const path of paths) {
    try {
      return await reader.send('GET', path);
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
  throw new Error(`There is nothing at ${paths.join(' or ')}.`);
}

/** How many objects a job has done. */
const doneOf = ({ progress }) => progress?.done ?? 0;

/** Indexes the site in a job while people write, kills the process and starts another. Returns the memory of both at most. */
export async function measureReindex(serve) {
  const first = await serve();
  const job = { id: 'reindex-all', action: 'reindex', params: { type: [] }, enabled: false };
  await first.client.send('POST', '/@scheduled-jobs', job).catch((error) => {
    if (error.status !== 400) throw error;
  });
  const path = pathOf((await first.client.send('POST', '/@scheduled-jobs/reindex-all/start')).location);
  const writeFor = async ({ client, reader }, label) => {
    const done = async () => (await client.send('GET', path)).body;
    const before = await done();
    const writers = repeat((n) =>
      client.send('PATCH', `/section-3/folder-${1 + (n % 10)}/part-1`, { description: `Changed ${n}` }),
    );
    const makers = repeat((n) =>
      client.send('POST', '/section-4/folder-1/part-1', { '@type': 'Page', title: `New ${n}` }),
    );
    const readers = repeat((n) => reader.send('GET', `/section-2/folder-${1 + (n % 10)}/part-1`));
    await sleep(WRITING_MS);
    const after = await done();
    const objects = doneOf(after) - doneOf(before);
    console.log(`\nReindex ${label}: ${Math.round(objects / (WRITING_MS / 1000))} objects a second; meanwhile`);
    for (const [what, running] of Object.entries({ changes: writers, 'new pages': makers, reads: readers }))
      console.log(`  ${what}: ${told(await running.stop())}`);
  };
  await sleep(2000);
  await writeFor(first, 'of the whole site');
  const peaks = [peakOf(first.server.pid)];
  await first.server.kill();
  const second = await serve();
  const left = (await second.client.send('GET', path)).body;
  for (;;) {
    const { body } = await second.client.send('GET', path);
    if (doneOf(body) > doneOf(left) || body.status === 'completed') break;
    // Between two processes the job says nothing of how far it is.
    if (body.progress && doneOf(body) < doneOf(left)) throw new Error('The job has begun anew.');
    await sleep(1000);
  }
  await writeFor(second, 'by another process, behind what the killed one had done');
  await second.client.send('POST', `${path}/abort`);
  peaks.push(peakOf(second.server.pid));
  await second.server.stop();
  return peaks;
}
