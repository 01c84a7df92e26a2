import { startServer, temporaryDataDir } from '../../scripts/lib/server.mjs';
import { SUBJECTS } from '../day/run.mjs';
import { clientFor } from '../day/site.mjs';
import { usageOf } from '../day/usage.mjs';
import { makePhoto, uploadPhoto } from './photo.mjs';

/** How many pictures a page asks for at a time. */
const PICTURES = 10;
/** The scale in which a page shows each of ten photos. Every system has it. */
const SHOWN = 'large';
const PAGE_EVERY_MS = 10;

/** `title` follows the number of pictures, which is lower where a system has fewer scales. */
export const SCENARIOS = [
  { title: 'scales of one photo', key: 'srcset', photos: 1 },
  { title: 'photos in one scale', key: 'gallery', photos: PICTURES },
];

/** Addresses of a photo's scales, as its object names them, the widest first. */
function scalesOf({ '@id': url, image }, only) {
  const scales = Object.entries(image.scales)
    .filter(([name]) => only === undefined || name === only)
    .map(([, scale]) => scale)
    .sort((a, b) => b.width - a.width)
    .slice(0, PICTURES);
  return scales.map(({ download }) => new URL(download, `${url}/`).href);
}

async function load(url) {
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  if (!response.ok || byteLength === 0) throw new Error(`${url} answered ${response.status} with ${byteLength} bytes`);
}

/** Milliseconds that something takes. */
async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const loadAll = (urls) => timed(() => Promise.all(urls.map(load)));

/** Asks for a page again and again while some work goes on. Returns what the work returns, and the longest milliseconds of a response. */
async function withPageBeside(url, work) {
  let goesOn = true;
  let longest = 0;
  const get = () => fetch(url, { headers: { Accept: 'application/json' } }).then((answer) => answer.arrayBuffer());
  const watch = async () => {
    while (goesOn) {
      longest = Math.max(longest, await timed(get));
      await new Promise((resolve) => setTimeout(resolve, PAGE_EVERY_MS));
    }
  };
  const working = work().finally(() => {
    goesOn = false;
  });
  const [result] = await Promise.all([working, watch()]);
  return { result, longest };
}

/** One page with photos that nobody has asked for before, and the same page again. */
async function measureOnce({ url, pids }, client, photo, { key, photos }) {
  const objects = [];
  const uploads = await timed(async () => {
    for (let n = 0; n < photos; n += 1) objects.push(await uploadPhoto(client, photo));
  });
  const urls = objects.flatMap((object) => scalesOf(object, key === 'gallery' ? SHOWN : undefined));
  const before = usageOf(pids()).cpu;
  const { result: cold, longest } = await withPageBeside(`${url}/`, () => loadAll(urls));
  const processor = (usageOf(pids()).cpu - before) * 1000;
  return { upload: uploads / photos, pictures: urls.length, cold, processor, longest, stored: await loadAll(urls) };
}

/** An empty site of Canopy with its own database. */
async function startEmpty() {
  const server = await startServer({ dataDir: await temporaryDataDir() });
  return { url: server.url, pids: () => [server.pid], stop: () => server.stop() };
}

async function measureSystem(name, { rounds, ...setting }) {
  const subject = name === 'pglite' ? await startEmpty() : await SUBJECTS[name](setting);
  try {
    const client = await clientFor(subject);
    const photo = await makePhoto();
    const before = usageOf(subject.pids()).memoryMB;
    const results = Object.fromEntries(SCENARIOS.map(({ key }) => [key, []]));
    // The first round loads the decoder and warms the code, and does not count.
    for (let round = 0; round <= rounds; round += 1)
      for (const scenario of SCENARIOS) {
        const result = await measureOnce(subject, client, photo, scenario);
        if (round > 0) results[scenario.key].push(result);
      }
    return { name, results, memory: { before, after: usageOf(subject.pids()).memoryMB } };
  } finally {
    await subject.stop();
  }
}

/**
 * Measures at each system how long a photo of 12 megapixels takes to upload, its scales when nobody has asked for them before and when they are
 * stored, and a page meanwhile at most. Systems that make scales with the upload have them stored. Needs Linux.
 *
 * @param {string[]} names  of the systems of a day (`SUBJECTS`)
 * @param {object} setting  `rounds`, and `cache`, `documents`, `progress` as for a day
 */
export async function measurePictures(names, setting) {
  const systems = [];
  for (const name of names) systems.push(await measureSystem(name, setting));
  return { systems };
}
