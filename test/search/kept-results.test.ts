import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CacheCounts } from '../../src/core/cache/cache-counts.ts';
import { CHANGE_FEED, ChangeFeed } from '../../src/core/cache/change-feed.ts';
import { inGroups, KeptResults } from '../../src/core/cache/kept-results.ts';
import { KEPT_TOTALS, KeptTotals } from '../../src/core/cache/kept-totals.ts';
import { UNWATCHED_TABLES } from '../../src/core/cache/unwatched-tables.ts';
import { removeContent } from '../../src/core/content/remove-content.ts';
import type { QueryContext } from '../../src/core/search/catalog-index.ts';
import { compileCount, isOfOwnRows, resultsSource } from '../../src/core/search/counting.ts';
import { type CatalogQuery, constraint } from '../../src/core/search/query.ts';
import { searchCatalog } from '../../src/core/search/search-catalog.ts';
import { ViewRule } from '../../src/core/search/statements/view-rule.ts';
import type { Database, Statement } from '../../src/database/database.ts';
import { forward } from '../../src/database/forward.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { make } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { createTestKernel } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { beginLife, prepare } from '../tree/live.ts';
import { ADMIN } from '../tree/people.ts';
import { lifeOf } from '../tree/steps/any-step.ts';
import type { Step } from '../tree/steps/step.ts';

const is = (index: string, ...values: unknown[]) => ({ index, constraint: constraint(values) });
const query = (constraints: CatalogQuery['constraints'], more: Partial<CatalogQuery> = {}): CatalogQuery => ({
  ...{ constraints, sort: [], ...more },
});

const QUERIES = [
  query([]),
  query([is('SearchableText', 'title')]),
  query([is('SearchableText', 'ti* or life')]),
  query([is('SearchableText', 'a*'), is('portal_type', 'Page')]),
  query([is('review_state', 'published')]),
  query([is('rating', 3)]),
  query([{ index: 'rating', constraint: constraint([1, 5], { range: 'min:max' }) }]),
  query([], { paths: [{ path: '/life' }] }),
  query([], { paths: [{ path: '/life', depth: 1 }] }),
  query([], { paths: [{ path: '/life', depth: 2 }] }),
  query([], { notPaths: [{ path: '/life/a' }] }),
  query([is('Creator', 'admin')]),
];
const VIEWERS = [false, true].flatMap((datesHide) =>
  [['role:Anonymous'], ['role:Anonymous', 'user:ann', 'group:staff'], ['role:Anonymous', 'role:Manager']].map(
    (principals) => ({ principals, rule: ViewRule.of(datesHide), inactive: principals.includes('role:Manager') }),
  ),
);

const VISITOR = { principals: ['role:Anonymous'], rule: ViewRule.of(false), inactive: false };

/** Pages with the same word, the even ones of which visitors see. */
const PAGES = 5600;
const SEED = `
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, local_roles, fields)
    select 'pair-' || n, root.oid, 'pair-' || n, '/pair-' || n, n, 'Page', 'published', 'admin', 'en', now(), now(), '{}', '{}'
    from generate_series(1, ${2 * PAGES}) n, (select oid from content where path = '/') root;
  insert into catalog (oid, allowed, inactive_allowed, searchable, sortable_title)
    select oid, case position::int % 2 when 0 then '{role:Anonymous}'::text[] else '{}' end, '{}', to_tsvector('simple', 'common'), ''
    from content where name like 'pair-%';
  analyze content; analyze catalog;`;

describeEachEngine('results that are kept over changes', (engine) => {
  let site: Awaited<ReturnType<typeof createTestKernel>>;
  let other: Database;
  let context: QueryContext;
  /** The results that this process keeps, and those of another one where there can be one. */
  let kept: { db: Database; results: KeptResults }[];

  beforeAll(async () => {
    site = await createTestKernel(engine);
    await prepare(site.kernel);
    const { db, sites, slots } = site.kernel;
    const { types, catalog } = await sites.current();
    context = { types, catalog, stemmers: ['english'] };
    const keptBy = (of: Database, feed: ChangeFeed) => ({ db: of, results: new KeptResults(feed, new CacheCounts()) });
    kept = [keptBy(db, slots.get(CHANGE_FEED))];
    if (engine === 'pglite') return;
    const [{ name = '' } = {}] = await db.query<{ name: string }>({ text: 'select current_database()::text as name' });
    const url = withDatabaseName(inject('templates').postgresql?.url ?? '', name);
    other = new PostgresDatabase(url, { log: () => {} });
    kept.push(keptBy(other, new ChangeFeed(other)));
  });
  afterAll(async () => {
    await other?.close();
    await site?.close();
  });

  /** Compares what each process keeps with what it finds anew. */
  async function compare(step: string): Promise<void> {
    for (const { db, results } of kept)
      for (const viewer of VIEWERS)
        for (const one of QUERIES) {
          const counted = { query: one, viewer, context };
          expect(isOfOwnRows(counted)).toBe(true);
          const source = resultsSource(db, counted);
          const key = JSON.stringify(compileCount(one, viewer, context));
          const present = await results.present(key, inGroups(source));
          const [[, oids] = ['', []]] = (await source.read()) ?? [];
          const about = `${JSON.stringify([one, viewer])} after ${step}`;
          expect([...(present?.value.get('') ?? [])], about).toEqual([...oids].sort((a, b) => a - b));
        }
  }

  let isSeeded = false;
  async function seed(): Promise<void> {
    if (!isSeeded) await site.kernel.db.script(SEED);
    isSeeded = true;
  }

  async function live(steps: readonly Step[]): Promise<void> {
    const { kernel } = site;
    const { path, tree, bin } = await beginLife(kernel);
    for (const step of steps) {
      tree.now += 1;
      await step.run({ kernel, tree, bin });
      await compare(String(step));
    }
    await removeContent(kernel, { caller: ADMIN, path, lockToken: undefined });
    await compare('the removal');
  }

  it('are those that are found anew, after each of many random changes', { timeout: 240_000 }, async () => {
    await fc.assert(fc.asyncProperty(lifeOf({ maxLength: 15 }), live), { numRuns: propertyRuns(1, 6) });
  });

  it('are asked about the changed objects alone', async () => {
    await compare('nothing');
    const path = await make(site.kernel, '/', { id: 'one', title: 'One' }, { state: 'published' });
    const before = kept.map(({ results }) => results.counts.misses);
    await site.kernel.db.query({ text: `update content set type = 'Folder' where path = $1`, values: [path] });
    await compare('a change of one object');
    expect(kept.map(({ results }) => results.counts.misses)).toEqual(before);
  });

  it('are read anew when a date has passed', async () => {
    const { db } = site.kernel;
    const path = await make(site.kernel, '/', { id: 'soon', title: 'Soon' }, { state: 'published' });
    const soon = { query: query([]), viewer: VISITOR, context };
    const total = async ({ db: by, results }: (typeof kept)[number]) =>
      (await results.present('soon', inGroups(resultsSource(by, soon))))?.value.get('')?.length ?? 0;
    const before = await Promise.all(kept.map(total));
    await db.query({
      text: `update content set effective = now() + interval '300 ms' where path = $1`,
      values: [path],
    });
    expect(await Promise.all(kept.map(total))).toEqual(before.map((count) => count - 1));
    await expect.poll(() => Promise.all(kept.map(total))).toEqual(before);
  });

  it('are not kept of conditions on other objects', () => {
    const ofOwn = (one: CatalogQuery) => isOfOwnRows({ query: one, viewer: VISITOR, context });
    expect(ofOwn(query([is('is_default_page', 'true')]))).toBe(false);
    expect(ofOwn(query([is('getRawRelatedItems', 'some-uid')]))).toBe(false);
    expect(ofOwn(query([is('Title', 'word'), is('created', '2026-01-01')]))).toBe(true);
  });

  it('belong to one moment while pages are hidden and others shown', { timeout: 60_000 }, async () => {
    const { db, slots } = site.kernel;
    await seed();
    const readers = kept.map(({ db: by }, at) => {
      const unwatched = slots.get(UNWATCHED_TABLES);
      // Others write between two statements of a search.
      const slow = forward(by, { query: (statement) => sleep(2).then(() => by.query(statement)) });
      return { slow, totals: at === 0 ? slots.get(KEPT_TOTALS) : new KeptTotals(new ChangeFeed(by), unwatched) };
    });
    const common = query([is('SearchableText', 'common')]);
    const window = { ...VISITOR, start: 0, size: 5 };
    let isOver = false;
    // Each transaction hides a page and shows another one, so that no moment has another total.
    const shown = [2, 4, 6, 8];
    const hidden = [1, 3, 5, 7];
    const swap = async () => {
      const [from, to] = [Math.floor(4 * Math.random()), Math.floor(4 * Math.random())];
      const [hide = 0, show = 0] = [shown[from], hidden[to]];
      [shown[from], hidden[to]] = [show, hide];
      await db.query({
        text: `update catalog k set allowed = case c.name when 'pair-' || $1 then '{role:Anonymous}'::text[] else '{}' end
          from content c where c.oid = k.oid and c.name in ('pair-' || $1, 'pair-' || $2)`,
        values: [String(show), String(hide)],
      });
    };
    const write = async () => {
      while (!isOver) {
        await swap();
        await sleep(1);
      }
    };
    const read = async ({ slow, totals }: (typeof readers)[number]) => {
      for (let round = 0; round < 60; round += 1) {
        const found = await searchCatalog(slow, common, window, context, totals);
        expect([found.total, found.items.length]).toEqual([PAGES, 5]);
      }
    };
    const writing = write();
    try {
      await Promise.all(readers.map(read));
    } finally {
      isOver = true;
      await writing;
    }
  });

  it('are corrected, not counted, when something changes while a sorted window is read', async () => {
    const { db, slots } = site.kernel;
    await seed();
    const totals = slots.get(KEPT_TOTALS);
    const pages = query([is('portal_type', 'Page')], { sort: [{ on: 'modified', descending: true }] });
    const window = { ...VISITOR, start: 0, size: 5 };
    const { total } = await searchCatalog(db, pages, window, context, totals);
    const toHide = ['pair-100', 'pair-102'];
    const texts: string[] = [];
    const disturbed = forward(db, {
      async query<R extends object>(statement: Statement) {
        texts.push(statement.text);
        const rows = await db.query<R>(statement);
        const name = statement.text.startsWith('with page as') ? toHide.pop() : undefined;
        if (name !== undefined)
          await db.query({
            text: `update catalog set allowed = '{}' where oid = (select oid from content where name = $1)`,
            values: [name],
          });
        return rows;
      },
    });
    const found = await searchCatalog(disturbed, pages, window, context, totals);
    expect([toHide, found.total, found.items.length]).toEqual([[], total - 2, 5]);
    expect(texts.filter((text) => text.includes('count(*)'))).toEqual([]);
  });
});
