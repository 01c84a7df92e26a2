import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { hasVarnish, startVarnish } from '../support/varnish.ts';

/** Milliseconds after a write within which Varnish must have nothing old any more (docs/caching.md). */
const BOUND_MS = 5000;
const STEPS = Number(process.env.VARNISH_STEPS ?? 60);
const READERS = 3;
const SEED = Number(process.env.VARNISH_SEED ?? Date.now() % 1_000_000);

/** The same numbers from 0 to 1 for the same seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const isThere = hasVarnish();
if (!isThere) console.log('Varnish is not tested: install the packages varnish and varnish-modules of Debian.');

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const RUNS = engines().flatMap((engine) => ['xkey', 'ban'].map((method) => [engine, method] as const));

describe.skipIf(!isThere).each(RUNS)('Varnish in front of the site on %s, purged by %s', (engine, method) => {
  const site = useTestSite(engine, () => ({ environment: { WEBHOOK_PRIVATE_ADDRESSES: '1' } }));
  let varnish: Awaited<ReturnType<typeof startVarnish>>;
  const must = async (verb: string, path: string, json?: Json) => {
    const response = await site.request(verb, path, json === undefined ? {} : { json });
    expect(response.status, `${verb} ${path}: ${response.text}`).toBeLessThan(300);
    return response.body;
  };
  const FOLDERS = ['/a', '/b'];
  const PAGES = FOLDERS.flatMap((folder) => ['x', 'y', 'z'].map((id) => `${folder}/${id}`));
  const PATHS = [
    ...['/', '/@navigation', '/@search?sort_on=path', '/@search?SearchableText=word'],
    ...FOLDERS,
    ...FOLDERS.map((path) => `${path}?expand=breadcrumbs,navigation`),
    ...PAGES,
  ];

  beforeAll(async () => {
    for (const path of FOLDERS) {
      await must('POST', '/', { '@type': 'Folder', id: path.slice(1), title: path });
      await must('POST', `${path}/@workflow/publish`, {});
    }
    for (const path of PAGES) {
      await must('POST', path.slice(0, 2), { '@type': 'Page', id: path.slice(3), title: path });
      await must('POST', `${path}/@workflow/publish`, {});
    }
    varnish = await startVarnish(site.url);
    await must('PATCH', '/@controlpanels/caching', {
      ...{ enabled: true, terse_smaxage: 3600, terse_maxage: 3600, tag_header: 'Surrogate-Key' },
      ...{ purge_method: method, caching_proxies: [varnish.url] },
    });
    await sleep(500);
  });
  afterAll(() => varnish?.close());

  /** Milliseconds from now until Varnish responds like the site at each of some addresses. */
  async function untilFresh(paths: readonly string[], from: number): Promise<number> {
    const waiting = new Set(paths);
    let last = from;
    while (waiting.size > 0) {
      for (const path of waiting) {
        const [cached, fresh] = [await varnish.get(path), await site.request('GET', path, { as: 'anonymous' })];
        if (cached.status === fresh.status && cached.text === fresh.text) {
          waiting.delete(path);
          continue;
        }
        last = Date.now();
        expect(last - from, `${path} is old: ${cached.text.slice(0, 300)}`).toBeLessThan(BOUND_MS);
      }
      await sleep(5);
    }
    return last - from;
  }

  it('random writes reach all readers within the bound, and nothing private stays', { timeout: 600_000 }, async () => {
    const random = numbersOf(SEED);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const delays: number[] = [];
    let hits = 0;
    let reads = 0;
    let isOver = false;
    const reader = async () => {
      while (!isOver) {
        const { isHit } = await varnish.get(PATHS[Math.floor(Math.random() * PATHS.length)] ?? '/');
        reads += 1;
        if (isHit) hits += 1;
        await sleep(10);
      }
    };
    const readers = Array.from({ length: READERS }, reader);
    try {
      for (let step = 0; step < STEPS; step += 1) {
        const path = pick(PAGES);
        const { review_state: state } = await must('GET', path);
        const kind = random();
        if (kind < 0.5) await must('PATCH', path, { title: `Title ${step}`, description: pick(['word', 'none']) });
        else if (kind < 0.8) await must('POST', `${path}/@workflow/${state === 'private' ? 'publish' : 'retract'}`, {});
        else if (kind < 0.9) await must('PATCH', path.slice(0, 2), { title: `Folder ${step}` });
        else await must('PATCH', '/@controlpanels/site', { site_title: `Site ${step}` });
        const acknowledged = Date.now();
        // The response to a user who may see the page is not cached for others.
        const seen = await varnish.get(path, {
          authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
        });
        expect(seen.status).toBe(200);
        delays.push(await untilFresh(PATHS, acknowledged));
        if (random() < 0.3) await sleep(random() * 4000);
      }
    } finally {
      isOver = true;
      await Promise.all(readers);
    }
    // A response that raced with a purge is gone after the second one.
    await sleep(BOUND_MS);
    expect(await untilFresh(PATHS, Date.now())).toBe(0);
    const sorted = [...delays].sort((a, b) => a - b);
    console.log(
      `${engine}, ${method}, VARNISH_SEED=${SEED}: ${STEPS} writes, ${reads} reads beside them, ${Math.round((100 * hits) / reads)} % from Varnish;`,
      `old for ${sorted[Math.floor(sorted.length / 2)]} ms in the median, ${sorted.at(-1)} ms at most`,
    );
    expect(hits / reads).toBeGreaterThan(0.3);
  });

  it('content that expires is gone from Varnish at that time, without a purge', { timeout: 120_000 }, async () => {
    const expires = Date.now() + 8000;
    await must('POST', '/b', {
      '@type': 'Page',
      id: 'short',
      title: 'Short',
      expires: new Date(expires).toISOString(),
    });
    await must('POST', '/b/short/@workflow/publish', {});
    await sleep(4500);
    const before = await varnish.get('/b');
    expect(before.text).toContain('/b/short');
    expect((await varnish.get('/b')).isHit).toBe(true);
    while (Date.now() < expires + 1000) await sleep(50);
    expect((await varnish.get('/b')).text).toBe((await site.request('GET', '/b', { as: 'anonymous' })).text);
  });
});
