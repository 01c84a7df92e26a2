import { pathOf } from '../scripts/lib/client.mjs';
import { folder, page, randomNumbers } from './documents.mjs';

const SMALLEST = 25;
const LARGEST = 100;
/** Folders in one section, so that no container of the site is very large. */
const FOLDERS_IN_SECTION = 50;

/** Numbers of pages for the folders, at least one each, so that folders and pages together are `count` documents. */
function folderSizes(count, random) {
  const sizes = [];
  for (let left = count; left > 0; ) {
    const size = Math.min(left - 1, SMALLEST + Math.floor(random() * (LARGEST - SMALLEST + 1)));
    sizes.push(size);
    left -= size + 1;
  }
  return sizes;
}

/**
 * Creates `documents` pages and folders at a site over HTTP, from `clients` connections:
 * sections of 50 folders of 25 to 100 pages each. Folders are published, and pages with `publish`.
 *
 * @param {{ send: Function }} client    from `connect`
 * @param {(done: number) => void} [progress]  called with the number of documents so far
 */
export async function seedSite(client, { documents, clients = 8, publish = false, progress = () => {} }) {
  const random = randomNumbers(documents);
  let done = 0;
  async function make(container, data, published) {
    const { body } = await client.send('POST', container, data);
    const path = pathOf(body['@id']);
    if (published) await client.send('POST', `${path}/@workflow/publish`, {});
    done += 1;
    progress(done);
    return path;
  }

  const sizes = folderSizes(documents - Math.ceil(documents / (FOLDERS_IN_SECTION * LARGEST)), random);
  const sections = [];
  for (let index = 0; index < sizes.length; index += FOLDERS_IN_SECTION) {
    sections.push(await make('/', folder(random), true));
  }
  const queue = sizes.map((size, index) => ({ size, section: sections[Math.floor(index / FOLDERS_IN_SECTION)] }));
  async function work() {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const path = await make(next.section, folder(random), true);
      for (let left = next.size; left > 0; left -= 1) await make(path, page(random), publish);
    }
  }
  await Promise.all(Array.from({ length: clients }, work));
  return done;
}
