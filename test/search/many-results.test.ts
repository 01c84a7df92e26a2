import { afterAll, beforeAll, expect, it } from 'vitest';
import { KEPT_TOTALS } from '../../src/core/cache/kept-totals.ts';
import type { QueryContext } from '../../src/core/search/catalog-index.ts';
import { countFacets } from '../../src/core/search/facets.ts';
import { type CatalogQuery, constraint } from '../../src/core/search/query.ts';
import { searchCatalog } from '../../src/core/search/search-catalog.ts';
import { ViewRule } from '../../src/core/search/statements/view-rule.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { createTestKernel } from '../support/site.ts';

const DOCUMENTS = 6400;

/** Pages in two sections with equal and missing values, some private, some outside of their dates, all with the word "many". */
const SEED = `
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, expires, local_roles, fields)
    select 'section-' || s, root.oid, 'part-' || s, '/part-' || s, s, 'Folder', 'published', 'admin', 'en', now(), now(), now() - interval '1 day', null, '{}', '{}'
    from generate_series(1, 2) s, (select oid from content where path = '/') root;
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, effective, expires, local_roles, fields)
    select 'many-' || n, p.oid, 'many-' || n, p.path || '/many-' || n, n, case n % 9 when 0 then 'News Item' else '${PAGE}' end,
      case n % 40 when 0 then 'private' else 'published' end, 'admin', 'en', now() - n % 1000 * interval '1 hour', now() - n * 7919 % 5000 * interval '1 minute',
      case when n % 11 = 0 then null when n % 101 = 0 then now() + interval '1 day' else now() - n % 3000 * interval '1 hour' end,
      case when n % 97 = 0 then now() - interval '1 hour' end, '{}', jsonb_build_object('title', 'Many ' || n)
    from generate_series(1, ${DOCUMENTS}) n join content p on p.path = '/part-' || case when n % 16 = 0 then 2 else 1 end;
  insert into catalog (oid, allowed, inactive_allowed, searchable, sortable_title)
    select oid, case review_state when 'private' then '{role:Manager}'::text[] else '{role:Anonymous}' end, '{role:Manager}', to_tsvector('simple', 'many ' || name),
      'many ' || oid % 50
    from content where path like '/part-%';
  analyze content; analyze catalog;`;

const rule = ViewRule.of(false);
const VIEWERS = [
  { principals: ['role:Anonymous'], rule, inactive: false },
  { principals: ['role:Anonymous', 'role:Manager'], rule, inactive: true },
  { principals: ['role:Anonymous', 'role:Manager'], rule, inactive: false },
  { principals: ['role:Anonymous', 'role:Manager'], rule: ViewRule.of(true), inactive: false },
];

const QUERIES: Omit<CatalogQuery, 'sort'>[] = [
  { constraints: [] },
  { constraints: [{ index: 'SearchableText', constraint: constraint(['many']) }] },
  { constraints: [{ index: 'SearchableText', constraint: constraint(['man*']) }], limit: 5500 },
  {
    constraints: [
      { index: 'SearchableText', constraint: constraint(['many']) },
      { index: 'portal_type', constraint: constraint([PAGE]) },
    ],
  },
  { constraints: [{ index: 'portal_type', constraint: constraint([PAGE, 'News Item']) }], paths: [{ path: '/' }] },
  { constraints: [], paths: [{ path: '/part-1' }] },
  { constraints: [{ index: 'portal_type', constraint: constraint(['News Item']) }], paths: [{ path: '/part-1' }] },
  { constraints: [{ index: 'portal_type', constraint: constraint(['News Item']) }] },
  { constraints: [], paths: [{ path: '/part-1', depth: 1 }] },
  { constraints: [{ index: 'Creator', constraint: constraint(['admin']) }] },
  {
    constraints: [{ index: 'SearchableText', constraint: constraint(['many']) }],
    paths: [{ path: '/part-1' }],
  },
  {
    constraints: [{ index: 'SearchableText', constraint: constraint(['"many many" or man*']) }],
    paths: [{ path: '/part-1' }],
  },
  {
    constraints: [{ index: 'SearchableText', constraint: constraint(['many or unknown']) }],
    notPaths: [{ path: '/part-2' }],
  },
  { constraints: [{ index: 'review_state', constraint: constraint(['published']) }], notPaths: [{ path: '/part-2' }] },
];

const ORDERS = ['effective', 'modified', 'created', 'sortable_title', 'path', 'expires', 'getObjPositionInParent'];

const SORTS: CatalogQuery['sort'][] = [
  [],
  ...ORDERS.flatMap((on) => [[{ on, descending: false }], [{ on, descending: true }]]),
  [
    { on: 'portal_type', descending: true },
    { on: 'modified', descending: false },
  ],
];

/** Numbers from 0 to below 1 that are the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

describeEachEngine('searches with many results', (engine) => {
  let site: Awaited<ReturnType<typeof createTestKernel>>;
  let context: QueryContext;

  beforeAll(async () => {
    site = await createTestKernel(engine);
    await site.kernel.db.script(SEED);
    const { types, catalog } = await site.kernel.sites.current();
    context = { types, catalog, stemmers: ['english'] };
  });
  afterAll(() => site?.close());

  it('give the same batches and totals as a search that sorts and counts everything, while content changes', async () => {
    const { db, slots } = site.kernel;
    const random = numbers(engine.length);
    const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    let kept = 0;
    for (let round = 0; round < 18; round += 1) {
      const query = { ...any(QUERIES), sort: any(SORTS) };
      const viewer = any(VIEWERS);
      const from = Math.floor(random() * 6500);
      for (const start of [0, from, from, from + 10, Math.max(0, 5100 - from), from + 25]) {
        const window = { ...viewer, start, size: any([0, 10, 25]) };
        const found = await searchCatalog(db, query, window, context, slots.get(KEPT_TOTALS));
        const expected = await searchCatalog(db, query, window, context);
        const told = JSON.stringify([query, window]);
        expect([told, found.total, found.items.map(({ path }) => path)]).toEqual([
          told,
          expected.total,
          expected.items.map(({ path }) => path),
        ]);
        if (found.total > 500) kept += 1;
        // Some batches are read of a site that is not as it was when the first one was.
        if (random() < 0.3)
          await db.query({
            text: `update ${any(['content set modified = now()', `content set expires = now() - interval '1 minute'`, `content set effective = null`])}
              where uid = 'many-' || $1::int`,
            values: [1 + Math.floor(random() * DOCUMENTS)],
          });
        if (random() < 0.2)
          await db.query({
            text: `update catalog set allowed = '{role:Manager}' where oid = (select oid from content where uid = 'many-' || $1::int)`,
            values: [1 + Math.floor(random() * DOCUMENTS)],
          });
      }
    }
    expect(kept).toBeGreaterThan(20);
  });

  it('of a whole word and a beginning are the same, whether few or many have the whole word', async () => {
    const { db, slots } = site.kernel;
    const numbered = { zebra: 3, lynx: 200, giraffe: 201, bear: 600 };
    for (const [word, count] of Object.entries(numbered))
      await db.query({
        text: `update catalog set searchable = searchable || to_tsvector('simple', $1) where oid in
          (select oid from content where uid like 'many-%' order by oid % 613, oid limit $2::int)`,
        values: [word, count],
      });
    const texts = [
      'zebra man*',
      'man* lynx',
      'giraffe man*',
      'bear man*',
      'zebra bear man*',
      'zebra man* -lynx',
      'zebra nothing*',
    ];
    for (const text of texts)
      for (const viewer of VIEWERS) {
        const query = { constraints: [{ index: 'SearchableText', constraint: constraint([text]) }], sort: [] };
        const window = { ...viewer, start: 0, size: 1000 };
        const { items, total } = await searchCatalog(db, query, window, context, slots.get(KEPT_TOTALS));
        const words = text
          .split(' ')
          .map((word) => (word.startsWith('-') ? `!${word.slice(1)}` : word.replace('*', ':*')));
        const expected = await db.query<{ oid: number }>({
          text: `select c.oid from content c join catalog k using (oid) where k.searchable @@ to_tsquery('simple', $1)
            and ${viewer.rule.viewable('$2')} and ($3 or coalesce(c.effective <= now(), true) and coalesce(c.expires > now(), true))`,
          values: [words.join(' & '), viewer.principals, viewer.inactive],
        });
        expect([text, total, items.map(({ oid }) => oid).sort()]).toEqual([
          text,
          expected.length,
          expected.map(({ oid }) => oid).sort(),
        ]);
      }
  });

  it('have the same facets whether or not it is known how many they are', async () => {
    const { db } = site.kernel;
    for (const query of QUERIES.filter(({ constraints }) => constraints.length > 0))
      for (const viewer of VIEWERS) {
        const facets = { fields: ['portal_type', 'review_state'], limit: 10 };
        const whole = { ...query, sort: [] };
        const counted = (total: number) => countFacets(db, whole, viewer, { facets, context, total });
        const expected = await counted(0);
        expect([JSON.stringify([query, viewer]), await counted(DOCUMENTS)]).toEqual([
          JSON.stringify([query, viewer]),
          expected,
        ]);
        expect(expected.get('portal_type')?.[0]?.count).toBeGreaterThan(500);
      }
  });

  it('have the facets that are counted anew, while content changes', async () => {
    const { db, slots } = site.kernel;
    const totals = slots.get(KEPT_TOTALS);
    const facets = { fields: ['portal_type', 'review_state', 'Subject', 'created'], limit: 5 };
    const random = numbers(engine.length + 7);
    const changes = [
      `update content set type = case type when '${PAGE}' then 'News Item' else '${PAGE}' end where oid = any($1)`,
      'update content set review_state = null where oid = any($1)',
      `update content set created = created - interval '2 years' where oid = any($1)`,
      `update content set expires = now() - interval '1 minute' where oid = any($1)`,
      `update catalog set subjects = '{Ä,b,🌳}' where oid = any($1)`,
      `update catalog set subjects = array_remove(subjects, 'b') where oid = any($1)`,
      `update catalog set allowed = '{role:Manager}' where oid = any($1)`,
    ];
    // A removal counts as a change of anything.
    const removal = 'delete from content where oid = any($1)';
    const oids = await db.query<{ oid: number }>({
      text: `select oid from content where uid like 'many-%' order by oid`,
    });
    const before = totals.results.counts.hits;
    for (let round = 0; round < 4; round += 1) {
      for (const query of QUERIES.slice(0, 8))
        for (const viewer of VIEWERS) {
          const counting = { facets, context, total: DOCUMENTS };
          const whole = { ...query, sort: [] };
          const expected = await countFacets(db, whole, viewer, counting);
          const about = JSON.stringify([query, viewer]);
          expect([about, await countFacets(db, whole, viewer, { ...counting, totals })]).toEqual([about, expected]);
        }
      for (const text of round === 2 ? [...changes, removal] : changes) {
        const changed = Array.from({ length: 3 }, () => oids[Math.floor(random() * oids.length)]?.oid);
        await db.query({ text, values: [changed] });
      }
    }
    expect(totals.results.counts.hits - before).toBeGreaterThan(2 * 8 * VIEWERS.length - 1);
  });

  it('see at once what another transaction has hidden', async () => {
    const { db, slots } = site.kernel;
    const search = () =>
      searchCatalog(
        db,
        { constraints: [], sort: [{ on: 'modified', descending: true }] },
        { principals: ['role:Anonymous', 'role:Manager'], rule, inactive: true, start: 0, size: 5 },
        context,
        slots.get(KEPT_TOTALS),
      );
    const before = await search();
    await search();
    const first = before.items[0];
    await db.transaction((tx) =>
      tx.query({ text: `update catalog set allowed = '{}' where oid = $1`, values: [first?.oid] }),
    );
    const after = await search();
    expect(after.total).toBe(before.total - 1);
    expect(after.items.map(({ oid }) => oid)).not.toContain(first?.oid);
  });
});
