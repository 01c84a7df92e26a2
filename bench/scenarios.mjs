import { pathOf } from '../scripts/lib/client.mjs';
import { folder, page, randomNumbers } from './documents.mjs';

/** The content that is measured. The names are fixed, so that all engines answer the same bytes but for ids and dates. */
export async function makeMeasuredContent(client) {
  const random = randomNumbers(1);
  async function published(container, data) {
    const { body } = await client.send('POST', container, data);
    const path = pathOf(body['@id']);
    await client.send('POST', `${path}/@workflow/publish`, {});
    return path;
  }
  const container = await published('/', { ...folder(random, 'Measured'), id: 'measured' });
  for (let number = 1; number <= 25; number += 1) {
    const id = `page-${number}`;
    await published(container, { ...page(random, `Measured page ${number}`), id });
  }
  await published('/', { ...page(random, 'Measured xylophone'), id: 'measured-xylophone' });
}

/** Writes once a second while others read; answers how to stop. A failed write is thrown there. */
function writeOnceASecond(client) {
  let failure;
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    client.send('PATCH', '/measured/page-2', { description: `Changed ${count} times` }).catch((error) => {
      failure = error;
    });
  }, 1000);
  return () => {
    clearInterval(timer);
    if (failure !== undefined) throw failure;
  };
}

/**
 * What is measured. `target` is the least ratio to the bare server (or, with `absolute`, the least
 * number a second on PostgreSQL) that Canopy is meant to reach. `path` is read with GET.
 */
export const READS = [
  { name: 'page, Anonymous', path: '/measured/page-1', target: 0.6 },
  { name: 'page, logged in', path: '/measured/page-1', loggedIn: true, target: 0.4 },
  { name: 'page, one write a second', path: '/measured/page-1', during: writeOnceASecond, target: 0.4 },
  { name: 'folder of 25, Anonymous', path: '/measured' },
  { name: 'navigation', path: '/measured/page-1/@navigation' },
  { name: 'selective search', path: '/@search?SearchableText=xylophone' },
];

/** Creating pages from 8 clients, in documents a second. */
export const CREATE = { name: 'create, 8 clients', target: 300, absolute: true };

/** A new folder and a request of autocannon that makes a page in it, with another title each time. */
export async function createRequest(client) {
  const random = randomNumbers(2);
  const { body } = await client.send('POST', '/', folder(random, 'Created'));
  let count = 0;
  return {
    method: 'POST',
    path: pathOf(body['@id']),
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${client.token}`,
    },
    setupRequest: (request) => {
      count += 1;
      return { ...request, body: JSON.stringify(page(random, `Created page ${count}`)) };
    },
  };
}
