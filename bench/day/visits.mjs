import { readFileSync } from 'node:fs';

const { sets: SETS } = JSON.parse(readFileSync(new URL('./sets.json', import.meta.url), 'utf8'));

/** Words of the documents (`documents.mjs`): one, several in common and rare combinations, and the beginning of one. */
const SEARCHES = {
  word: ['forest', 'bakery', 'winter'],
  words: ['council minutes', 'open data', 'river bridge repair', 'bakery archive'],
  beginning: ['budg*'],
};

/**
 * Picks a number from 0 to `count - 1` by Zipf's law: the second is asked for half as often as the first, the third a third as often.
 * `random` returns numbers from 0 to 1.
 */
function zipf(count, random) {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** The newest pages, as a listing block of Volto asks for them. */
const listingOf = (type) => ({
  query: [{ i: 'portal_type', o: 'plone.app.querystring.operation.selection.any', v: [type] }],
  ...{ sort_on: 'effective', sort_order: 'descending', b_size: 10, metadata_fields: '_all' },
});

/** The name of a request of a set that members and others send alike. */
export const nameOf = ({ kind, token }) => (token === undefined ? kind : `${kind} of a member`);

/**
 * Returns a function that gives one request of the day after the other: `{ kind, path, token, method, json, accept, expected }`. They come
 * in sets, each of which is picked by its share.
 *
 * @param {object} site      `pages`: paths, the most asked for first; `folders`; `pictures`: addresses of scales; `token`: of a member;
 *                           `addresses.feed(path)`: the feed of a folder; `pageType`
 * @param {{ random: () => number, ledger: import('./ledger.mjs').Ledger, lacking?: Set<string> }} setting  `lacking`: requests that the
 *                           system does not answer, by `nameOf`
 */
export function visitsOf({ pages, folders, pictures, token, addresses, pageType }, { random, ledger, lacking }) {
  const next = zipf(pages.length, random);
  const one = (list) => list[Math.floor(random() * list.length)];
  let crawled = 0;
  const requestOf = (text, values, isMember) => {
    const [kind, template] = text.split(' ');
    const filled = template.replace(/\{(\w+)\}/g, (_, name) => values(name));
    const request = { kind, path: filled, ...(isMember ? { token } : {}) };
    if (kind === 'listing') return { ...request, method: 'POST', json: listingOf(pageType) };
    if (kind === 'feed') return { ...request, path: addresses.feed(filled), accept: '*/*' };
    if (kind !== 'news') return request;
    const expected = ledger.news(random);
    return { ...request, path: expected?.path ?? pages[next()], expected };
  };
  const requestsOf = ({ member, requests }) => {
    const page = pages[next()];
    crawled = (crawled + 1) % pages.length;
    const values = {
      page: () => page,
      cold: () => pages[pages.length - 1 - crawled],
      folder: () => one(folders),
      picture: () => one(pictures),
      ...Object.fromEntries(
        Object.entries(SEARCHES).map(([name, list]) => [name, () => encodeURIComponent(one(list))]),
      ),
      number: () => Math.floor(random() * 1e6),
      news: () => '',
    };
    return requests.map((text) => requestOf(text, (name) => values[name](), member));
  };
  const pick = () => {
    let left = random();
    for (const set of SETS) {
      left -= set.share;
      if (left < 0) return set;
    }
    return SETS[0];
  };
  let queue = [];
  const nextVisit = () => {
    for (;;) {
      if (queue.length === 0) queue = requestsOf(pick());
      const request = queue.shift();
      if (request !== undefined && !lacking?.has(nameOf(request))) return request;
    }
  };
  return { next: nextVisit, one: () => SETS.flatMap(requestsOf) };
}
