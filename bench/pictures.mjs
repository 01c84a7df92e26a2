import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { connect, pathOf } from '../scripts/lib/client.mjs';
import { startServer, temporaryDataDir } from '../scripts/lib/server.mjs';
import { tableLines, toldRun } from './doc-table.mjs';
import { median } from './load.mjs';

const [WIDTH, HEIGHT] = [4000, 3000];
/** The scales of one picture that a page offers for screens of all sizes. */
const SRCSET = ['4k', '2k', 'huge', 'great', 'larger', 'large', 'teaser', 'preview', 'mini', 'thumb'];
/** The scale in which a page shows each of ten pictures. */
const SHOWN = 'large';
const PAGE_EVERY_MS = 10;

const SCENARIOS = [
  ['ten scales of one photo', 'srcset'],
  ['ten photos in one scale', 'gallery'],
];

/** A photo of 12 megapixels: large shapes with noise, so that it compresses as photos do. */
async function photo() {
  const noise = (width, height, sigma) =>
    sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma } } })
      .png()
      .toBuffer();
  const shapes = await noise(WIDTH / 8, HEIGHT / 8, 60);
  return sharp(shapes)
    .resize(WIDTH, HEIGHT)
    .composite([{ input: await noise(WIDTH, HEIGHT, 12), blend: 'soft-light' }])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Makes an object with the photo. Bytes behind its end make it another file with the same pixels. */
async function upload(client, photo) {
  const bytes = Buffer.concat([photo, randomBytes(16)]);
  const image = {
    data: bytes.toString('base64'),
    encoding: 'base64',
    filename: 'photo.jpg',
    'content-type': 'image/jpeg',
  };
  const { body } = await client.send('POST', '/', { '@type': 'Image', title: 'Photo', image });
  return pathOf(body['@id']);
}

async function load(url) {
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok || byteLength === 0) throw new Error(`${url} answered ${response.status} with ${byteLength} bytes`);
}

/** Milliseconds until all addresses are loaded, asked for at once. */
async function loadAll(urls) {
  const started = performance.now();
  await Promise.all(urls.map(load));
  return performance.now() - started;
}

/** Asks for a page again and again until stopped; returns the longest milliseconds of a response. */
function watchPage(url) {
  let goesOn = true;
  const work = (async () => {
    let longest = 0;
    while (goesOn) {
      const started = performance.now();
      await fetch(url, { headers: { Accept: 'application/json' } }).then((response) => response.arrayBuffer());
      longest = Math.max(longest, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, PAGE_EVERY_MS));
    }
    return longest;
  })();
  return () => {
    goesOn = false;
    return work;
  };
}

async function processorMs(pid) {
  const [, behind = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
  const [user, system] = behind.split(' ').slice(11, 13).map(Number);
  return (user + system) * 10;
}

const memoryMB = async (pid, name) =>
  Math.round(
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))[1]) / 1024,
  );

/**
 * Measures how long the scales of photos of 12 megapixels take when nobody has asked for them before, how long when they are stored, and how long
 * a page takes meanwhile at most. Needs Linux.
 */
export async function measurePictures({ rounds }) {
  const server = await startServer({ dataDir: await temporaryDataDir() });
  const client = await connect(server.url);
  const bytes = await photo();
  const before = await memoryMB(server.pid, 'VmRSS');
  const results = { srcset: [], gallery: [] };
  const urlsOf = {
    srcset: (paths) => SRCSET.map((scale) => `${server.url}${paths[0]}/@@images/image/${scale}`),
    gallery: (paths) => paths.map((path) => `${server.url}${path}/@@images/image/${SHOWN}`),
  };
  // The first round loads the decoder and warms the code, and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [, key] of SCENARIOS) {
      const paths = [];
      for (let n = 0; n < (key === 'srcset' ? 1 : 10); n += 1) paths.push(await upload(client, bytes));
      const urls = urlsOf[key](paths);
      const stop = watchPage(`${server.url}/`);
      const cpu = await processorMs(server.pid);
      const cold = await loadAll(urls);
      const processor = (await processorMs(server.pid)) - cpu;
      const longest = await stop();
      if (round > 0) results[key].push({ cold, processor, longest, warm: await loadAll(urls) });
    }
  }
  const memory = { before, most: await memoryMB(server.pid, 'VmHWM') };
  await server.stop();
  return { results, memory };
}

/** The table of docs/speed.md. */
export function picturesTable({ results, memory, rounds, ...run }) {
  const ms = (rows, key) => Math.round(median(rows.map((row) => row[key]))).toLocaleString('en');
  const lines = tableLines(
    ['cold', 'goal', 'processor', 'stored', 'a page meanwhile, at most'],
    SCENARIOS.map(([title, key]) => [
      title,
      ms(results[key], 'cold'),
      '1,000',
      ms(results[key], 'processor'),
      ms(results[key], 'warm'),
      ms(results[key], 'longest'),
    ]),
  );
  return [
    ...lines,
    '',
    `Milliseconds, medians of ${rounds} rounds, photos of 12 megapixels (JPEG), embedded database. Memory of the process: ${memory.before} MB before, ${memory.most} MB at most. ${toldRun(run)}`,
  ].join('\n');
}
