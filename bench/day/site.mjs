import sharp from 'sharp';
import { connect, pathOf } from '../../scripts/lib/client.mjs';
import { randomNumbers } from '../documents.mjs';
import { seedSite } from '../seed-site.mjs';
import { makeFolders } from './editors.mjs';

const PICTURES = 20;
const MAX_BATCH = 500;

/** A picture of 1200 × 800 points in one colour. */
const picture = (random) =>
  sharp({
    create: { width: 1200, height: 800, channels: 3, background: { r: 20, g: 90, b: Math.floor(random() * 256) } },
  })
    .png()
    .toBuffer();

/** A client of a site; content types of Canopy's default profile have the names that the site has for them. */
async function clientFor({ url, login, types = {} }) {
  const client = await connect(url, login);
  return {
    ...client,
    prefix: new URL(url).pathname.replace(/\/$/, ''),
    send: (method, path, json) =>
      client.send(method, path, json?.['@type'] in types ? { ...json, '@type': types[json['@type']] } : json),
  };
}

/** All published pages, in an order by chance that is the same in each run. */
async function pagesOf(client, types, random) {
  const pages = [];
  for (let start = 0; ; start += MAX_BATCH) {
    const query = `portal_type=${types.Page ?? 'Page'}&review_state=published&sort_on=path&b_size=${MAX_BATCH}&b_start=${start}`;
    const { items } = (await client.send('GET', `/@search?${query}`)).body;
    pages.push(...items.map((item) => pathOf(item['@id']).slice(client.prefix.length)));
    if (items.length < MAX_BATCH) break;
  }
  return pages
    .sort()
    .map((path) => [random(), path])
    .sort(([a], [b]) => a - b)
    .map(([, path]) => path);
}

async function makePictures(client, random) {
  const addresses = [];
  for (let n = 1; n <= PICTURES; n += 1) {
    const image = {
      data: (await picture(random)).toString('base64'),
      encoding: 'base64',
      filename: `p${n}.png`,
      'content-type': 'image/png',
    };
    const { body } = await client.send('POST', '/day-a', { '@type': 'Image', title: `Picture ${n}`, image });
    const path = pathOf(body['@id']).slice(client.prefix.length);
    // Where pictures have a workflow, visitors see published ones.
    if (body.review_state === 'private') await client.send('POST', `${path}/@workflow/publish`, {});
    for (const scale of ['preview', 'thumb']) addresses.push(`${path}/@@images/image/${scale}`);
  }
  return addresses;
}

/** Fills a site with the documents of the day. Returns its client, and what its visitors ask for. */
export async function makeDaySite(target, { documents, progress }) {
  const random = randomNumbers(documents);
  const client = await clientFor(target);
  await seedSite(client, { documents, publish: true, progress });
  await makeFolders(client);
  const pictures = await makePictures(client, random);
  const pages = await pagesOf(client, target.types ?? {}, random);
  return { client, pages, pictures };
}
