import { createHash } from 'node:crypto';
import { folder, page, randomNumbers } from '../documents.mjs';

const PAGES_OF_FOLDER = 50;
const FOLDERS_OF_SECTION = 20;
/** The folders in which the editors of the day work. */
export const WORK_FOLDERS = ['day-a', 'day-b', 'day-imported'];

const plain = (id) => ({ '@type': 'Folder', title: `Folder ${id}` });

/**
 * The documents of the day's site, containers before what they contain: `{ parent, id, data }`, all of them published. They are the
 * same in each run and in each system, with their names, but for the ids of blocks. `count` is the number of pages.
 */
export function* documentsOf(count) {
  const random = randomNumbers(count);
  for (const id of WORK_FOLDERS) yield { parent: '', id, data: plain(id) };
  for (let made = 0; made < count; made += 1) {
    const [number, place] = [Math.floor(made / PAGES_OF_FOLDER), made % PAGES_OF_FOLDER];
    const section = `/section-${Math.floor(number / FOLDERS_OF_SECTION) + 1}`;
    const parent = `${section}/folder-${(number % FOLDERS_OF_SECTION) + 1}`;
    if (place === 0 && number % FOLDERS_OF_SECTION === 0)
      yield { parent: '', id: section.slice(1), data: folder(random) };
    if (place === 0) yield { parent: section, id: parent.slice(section.length + 1), data: folder(random) };
    yield { parent, id: `page-${place + 1}`, data: page(random) };
  }
}

/** The paths of the pages or of the folders with pages of such a site, in an order by chance that is the same in each run. */
export function pathsOf(count, type) {
  const random = randomNumbers(count + 1);
  return [...documentsOf(count)]
    .filter(({ parent, data }) => parent !== '' && data['@type'] === type)
    .map(({ parent, id }) => [random(), `${parent}/${id}`])
    .sort(([a], [b]) => a - b)
    .map(([, path]) => path);
}

/** How many documents are looked at to find out that they are made in another way than before. */
const SAMPLE = 200;

/** A name for the content of the day with so many pages: another one when its documents are made in another way. */
export function contentKey(count) {
  const hash = createHash('sha256').update(String(count));
  for (const { parent, id, data } of take(documentsOf(count), SAMPLE)) {
    const { blocks = {}, blocks_layout: _order, ...fields } = data;
    hash.update(JSON.stringify([parent, id, fields, Object.values(blocks)]));
  }
  return hash.digest('hex').slice(0, 16);
}

function* take(documents, count) {
  for (let left = count; left > 0; left -= 1) {
    const { done, value } = documents.next();
    if (done) return;
    yield value;
  }
}
