import sharp from 'sharp';
import { connect, pathOf, UnexpectedAnswer } from '../../scripts/lib/client.mjs';
import { randomNumbers } from '../documents.mjs';
import { documentsOf } from './content.mjs';

const PICTURES = 20;
const CLIENTS = 8;
/** Milliseconds that an editor waits for an answer. */
const PATIENCE_MS = 60_000;
const TRIES = 5;

/** A picture of 1200 × 800 points in one colour. */
const picture = (random) =>
  sharp({
    create: { width: 1200, height: 800, channels: 3, background: { r: 20, g: 90, b: Math.floor(random() * 256) } },
  })
    .png()
    .toBuffer();

/**
 * A client of a site, which takes paths with and without `prefix`, the path of the site at its server. Content types of Canopy's default
 * profile get the names that the site has for them (`types`).
 */
export async function clientFor({ url, login, types = {} }) {
  const client = await connect(url, { ...login, timeout: PATIENCE_MS });
  const prefix = new URL(url).pathname.replace(/\/$/, '');
  const inSite = (path) => (prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path);
  return {
    ...{ ...client, prefix, types },
    send: (method, path, json) =>
      client.send(method, inSite(path), json?.['@type'] in types ? { ...json, '@type': types[json['@type']] } : json),
  };
}

/** The pictures of the day: data of a field for pictures. They are the same in each run. */
export async function* picturesOf() {
  const random = randomNumbers(PICTURES);
  for (let n = 1; n <= PICTURES; n += 1) {
    const image = {
      data: (await picture(random)).toString('base64'),
      encoding: 'base64',
      filename: `picture-${n}.png`,
      'content-type': 'image/png',
    };
    yield { parent: '/day-a', id: `picture-${n}`, data: { '@type': 'Image', title: `Picture ${n}`, image } };
  }
}

/** Addresses of scales of the pictures. */
export const scalesOf = () =>
  Array.from({ length: PICTURES }, (_, n) =>
    ['preview', 'thumb'].map((scale) => `/day-a/picture-${n + 1}/@@images/image/${scale}`),
  ).flat();

/** Publishes what was just made. Where pictures have a workflow, visitors see published ones. */
export async function publishMade(client, { '@id': url, review_state: state }, type) {
  if (state === 'published' || (type === 'Image' && state !== 'private')) return;
  await client.send('POST', `${pathOf(url).slice(client.prefix.length)}/@workflow/publish`, {});
}

/** Creates one document and publishes it. A server that fails for a conflict with another writer is asked again. */
async function make(client, { parent, id, data }) {
  for (let left = TRIES; ; left -= 1) {
    try {
      const { body } = await client.send('POST', parent || '/', { ...data, id });
      const path = pathOf(body['@id']).slice(client.prefix.length);
      if (path !== `${parent}/${id}`) throw new Error(`${parent}/${id} was made at ${path}`);
      await publishMade(client, body, data['@type']);
      return;
    } catch (error) {
      if (left <= 1 || !(error instanceof UnexpectedAnswer && error.status >= 500)) throw error;
    }
  }
}

/** Makes the pictures of the day over HTTP. */
export async function makePictures(client) {
  for await (const document of picturesOf()) await make(client, document);
}

/** Fills a site over HTTP with the documents of the day; `progress` is called with the number so far. */
export async function fillSite(client, { documents, progress = () => undefined }) {
  const queue = documentsOf(documents);
  let done = 0;
  const under = new Map();
  const work = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      const { parent, id } = next.value;
      // Another client may still be making the container.
      const made = (under.get(parent) ?? Promise.resolve()).then(() => make(client, next.value));
      if (next.value.data['@type'] === 'Folder') under.set(`${parent}/${id}`, made);
      await made;
      done += 1;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
  await makePictures(client);
}
