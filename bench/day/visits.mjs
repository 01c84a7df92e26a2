/** The parts of a day by what is asked for, as shares of the visitors' requests. */
const SHARES = [
  [0.62, 'page'],
  [0.1, 'picture'],
  [0.08, 'browser'],
  [0.06, 'search'],
  [0.06, 'crawler'],
  [0.04, 'missing'],
  [0.03, 'navigation'],
  [0.01, 'site'],
];
/** The share of the requests that are sent with a login. */
const LOGGED_IN = 0.05;

/** The components that Volto asks for with a page, for a visitor and for somebody who is logged in. */
const VISITOR = 'expand=breadcrumbs,actions,navroot,navigation&expand.navigation.depth=1';
const MEMBER = 'expand=breadcrumbs,actions,types,navroot,navigation&expand.navigation.depth=1';

/** Words of the documents (`documents.mjs`), from common to rare combinations. */
const SEARCHES = ['forest', 'council minutes', 'open data', 'river bridge repair', 'bakery archive', 'budg*'];

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

/** A share picked by chance. */
function pick(random) {
  let left = random();
  for (const [share, kind] of SHARES) {
    left -= share;
    if (left < 0) return kind;
  }
  return SHARES[0][1];
}

/**
 * Returns a function that gives one request of the day after the other: `{ kind, path, token }`.
 *
 * @param {object} site      `pages`: paths, the most asked for first; `pictures`: addresses of scales; `token`: of a member
 * @param {() => number} random
 */
export function visitsOf({ pages, pictures, token }, random) {
  const next = zipf(pages.length, random);
  let crawled = 0;
  const makers = {
    page: (isMember) => `${pages[next()]}?${isMember ? MEMBER : VISITOR}`,
    browser: () => `${pages[next()]}/@workflow`,
    picture: () => pictures[Math.floor(random() * pictures.length)] ?? pages[next()],
    search: () => {
      const words = SEARCHES[Math.floor(random() * SEARCHES.length)];
      return `/@search?SearchableText=${encodeURIComponent(words)}&b_size=25&metadata_fields=_all`;
    },
    // A crawler reads everything once: nothing that it asks for is warm.
    crawler: () => {
      crawled = (crawled + 1) % pages.length;
      return pages[pages.length - 1 - crawled];
    },
    missing: () => `${pages[next()]}/no-such-page-${Math.floor(random() * 1e6)}`,
    navigation: () => '/@navigation?expand.navigation.depth=2',
    site: () => '/@site',
  };
  return () => {
    const kind = pick(random);
    const isMember = random() < LOGGED_IN;
    return { kind, path: makers[kind](isMember), ...(isMember && kind !== 'crawler' ? { token } : {}) };
  };
}
