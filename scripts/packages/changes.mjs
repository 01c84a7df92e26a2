import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { check } from './programs.mjs';

/** Milliseconds from a change to the new page. */
const MAX_DELAY_MS = 2000;

const textOf = async (url) => (await fetch(url)).text();

/** Sends a webhook in the form of docs/webhooks.md with a signature by another secret, and returns the status. */
async function sendForged(site) {
  const body = JSON.stringify({ id: 'msg_1', type: 'content.changed', data: { event: 'changed', keys: [] } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'another').update(`msg_1.${timestamp}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  };
  return (await fetch(`${site}/api/revalidate`, { method: 'POST', body, headers })).status;
}

/** Waits until each page has a text, and returns the milliseconds. Throws when it takes too long. */
async function untilShown(site, paths, text) {
  const begun = performance.now();
  for (const path of paths)
    while (!(await textOf(site + path)).includes(text)) {
      check(performance.now() - begun < MAX_DELAY_MS, `${path} is without "${text}" after ${MAX_DELAY_MS} ms.`);
      await sleep(25);
    }
  return Math.round(performance.now() - begun);
}

/**
 * Changes the title of a page: the pages that show it have it within two seconds, by the webhook of Canopy, and no other page is made
 * again. A webhook with a wrong signature is rejected.
 */
export async function tryChanges(canopy, site) {
  const shown = ['/town-hall/hours', '/town-hall'];
  const others = ['/town-hall/dot', '/', '/notices'];
  const madeAt = async (path) => /<time>([^<]*)/.exec(await textOf(site + path))?.[1];
  for (const path of [...shown, ...others]) await textOf(site + path);
  const before = await Promise.all(others.map(madeAt));
  await sleep(1500);
  const [first, second] = [await madeAt('/town-hall/hours'), await madeAt('/town-hall/hours')];
  check(first !== undefined && first === second, `A page is made for each request: ${first} ${second}`);
  check((await sendForged(site)) === 401, 'A wrong signature is accepted.');
  await canopy.send('PATCH', '/town-hall/hours', { title: 'New hours' });
  console.log(`The new pages took ${await untilShown(site, shown, 'New hours')} ms.`);
  const after = await Promise.all(others.map(madeAt));
  check(
    before.every((time) => time !== undefined) && before.join() === after.join(),
    `Others are made again: ${before} ${after}`,
  );
  check((await fetch(`${site}/town-hall/later`)).status === 404, 'A page is there before it is made.');
  await canopy.send('POST', '/town-hall', { '@type': 'Page', id: 'later', title: 'Later' });
  await canopy.send('POST', '/town-hall/later/@workflow/publish');
  console.log(`A page of a new path took ${await untilShown(site, ['/town-hall/later'], 'Later</h1>')} ms.`);
  await canopy.send('DELETE', '/town-hall/later');
  await sleep(MAX_DELAY_MS);
  check((await fetch(`${site}/town-hall/later`)).status === 404, 'A removed page is still there.');
}
