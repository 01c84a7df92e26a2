import sharp from 'sharp';
import { pathOf } from '../scripts/lib/client.mjs';
import { folder, page, randomNumbers } from './documents.mjs';

/** The number of children of the measured folder. */
const CHILDREN = 50;
/** The number of paragraphs of the measured page: with its title and its heading it has twenty blocks. */
const PARAGRAPHS = 18;

/** The measured content. The names are fixed, so that all engines return the same bytes except ids and dates. */
export async function makeMeasuredContent(client) {
  const random = randomNumbers(1);
  async function published(container, data) {
    const { body } = await client.send('POST', container, data);
    const path = pathOf(body['@id']);
    await client.send('POST', `${path}/@workflow/publish`, {});
    return path;
  }
  const container = await published('/', { ...folder(random, 'Measured'), id: 'measured' });
  for (let number = 1; number <= CHILDREN; number += 1) {
    const id = `page-${number}`;
    await published(container, { ...page(random, `Measured page ${number}`, PARAGRAPHS), id });
  }
  await published('/', { ...page(random, 'Measured xylophone'), id: 'measured-xylophone' });
}

const PICTURE = '/measured-picture';

/** Makes the measured picture. It is shown in a scale of some 10 kB, as a listing shows it. */
export async function makeMeasuredPicture(client) {
  const grain = { type: 'gaussian', mean: 120, sigma: 20 };
  const bytes = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#888', noise: grain } })
    .blur(3)
    .jpeg()
    .toBuffer();
  const image = { data: bytes.toString('base64'), encoding: 'base64', filename: 'p.jpg', 'content-type': 'image/jpeg' };
  await client.send('POST', '/', { '@type': 'Image', id: PICTURE.slice(1), title: 'Measured picture', image });
}

/** Changes another page some times a second while others read. Returns a function that stops, which throws what failed. */
const writing = (perSecond) => (client) => {
  let failure;
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    client.send('PATCH', '/measured/page-2', { description: `Changed ${count} times` }).catch((error) => {
      failure = error;
    });
  }, 1000 / perSecond);
  return () => {
    clearInterval(timer);
    if (failure !== undefined) throw failure;
  };
};

const PAGE = '/measured/page-1';

/**
 * The scenarios. `path` is read with GET; `cold` adds a query that is new each time, so that no response is cached. `targets`
 * are the lowest ratios to the bare server that Canopy should reach. `peers` are requests a second that were recorded with the
 * same kind of content on a machine of two cores, where the bare server had about 77,000.
 */
export const READS = [
  { name: 'page', path: PAGE, targets: { pglite: 0.6, postgresql: 0.6 }, peers: { nick: 224, plone: 168 } },
  {
    name: 'page, logged in',
    path: PAGE,
    loggedIn: true,
    targets: { pglite: 0.55, postgresql: 0.5 },
    peers: { nick: 271, plone: 153 },
  },
  { name: 'page, 20 writes a second', path: PAGE, during: writing(20), targets: { pglite: 0.5, postgresql: 0.4 } },
  { name: 'folder of 50', path: '/measured?b_size=50' },
  { name: 'scale of a picture', path: `${PICTURE}/@@images/image/preview` },
  { name: 'navigation', path: `${PAGE}/@navigation` },
  { name: 'search of a rare word', path: '/@search?SearchableText=xylophone' },
  {
    name: 'page, cold',
    path: PAGE,
    cold: true,
    targets: { pglite: 0.045, postgresql: 0.075 },
    peers: { nick: 224, plone: 168 },
  },
  {
    name: 'folder of 50, cold',
    path: '/measured?b_size=50',
    cold: true,
    targets: { pglite: 0.012, postgresql: 0.02 },
    peers: { nick: 147, plone: 122 },
  },
  {
    name: 'search, cold',
    path: '/@search?SearchableText=xylophone',
    cold: true,
    targets: { pglite: 0.035, postgresql: 0.06 },
    peers: { nick: 280, plone: 539 },
  },
  {
    ...{
      name: 'page, five expansions, cold',
      path: `${PAGE}?expand=breadcrumbs,navigation,actions,types,workflow`,
      cold: true,
    },
    ...{ targets: { pglite: 0.03, postgresql: 0.06 }, peers: { nick: 147, plone: 59 } },
  },
];

/** Writes from 8 clients, as ratios to how often the bare server sends the page. */
export const WRITES = [
  {
    name: 'POST, 8 clients',
    request: createRequest,
    targets: { pglite: 0.005, postgresql: 0.018 },
    peers: { nick: 84, plone: 17 },
  },
  {
    name: 'PATCH, 8 clients',
    request: changeRequest,
    targets: { pglite: 0.007, postgresql: 0.025 },
    peers: { nick: 139, plone: 50 },
  },
];

/** A request of autocannon that reads a path with a new query each time: a component that does not exist, which costs nothing. */
export function coldRequest(path, headers) {
  let count = 0;
  const begin = path.includes('?') ? `${path}&` : `${path}?`;
  return {
    method: 'GET',
    headers,
    setupRequest: (request) => {
      count += 1;
      return { ...request, path: `${begin}expand=cold-${process.hrtime.bigint()}-${count}` };
    },
  };
}

/** Headers of the administrator for bodies of JSON. */
const jsonHeaders = (client) => ({
  Accept: 'application/json',
  'Content-Type': 'application/json',
  Authorization: `Bearer ${client.token}`,
});

/** Creates a folder, and returns a request of autocannon that creates a page in it with a new title each time. */
async function createRequest(client) {
  const random = randomNumbers(2);
  const { body } = await client.send('POST', '/', folder(random, 'Created'));
  let count = 0;
  return {
    method: 'POST',
    path: pathOf(body['@id']),
    headers: jsonHeaders(client),
    setupRequest: (request) => {
      count += 1;
      return { ...request, body: JSON.stringify(page(random, `Created page ${count}`)) };
    },
  };
}

/** A request of autocannon that changes the title of one of the measured pages, a different one each time. */
async function changeRequest(client) {
  let count = 0;
  return {
    method: 'PATCH',
    headers: jsonHeaders(client),
    setupRequest: (request) => {
      count += 1;
      const path = `/measured/page-${(count % CHILDREN) + 1}`;
      return { ...request, path, body: JSON.stringify({ title: `Changed ${count} times` }) };
    },
  };
}
