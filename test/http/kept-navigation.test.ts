import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { CacheCounts } from '../../src/core/cache/cache-counts.ts';
import { CHANGE_FEED, ChangeFeed } from '../../src/core/cache/change-feed.ts';
import { type TreeRequest, type TreeRow, treeRows } from '../../src/core/content/statements/navigation.ts';
import { ViewRule } from '../../src/core/search/statements/view-rule.ts';
import { ANONYMOUS } from '../../src/core/security/caller.ts';
import { keptTrees, treeSource } from '../../src/core/serializer/components/kept-tree.ts';
import { isTouched, TagCollector } from '../../src/database/cache-tags.ts';
import type { Database, Queryable } from '../../src/database/database.ts';
import { PostgresDatabase } from '../../src/database/postgres/database.ts';
import { describeEachEngine } from '../support/database.ts';
import { propertyRuns } from '../support/property-runs.ts';
import type { Who } from '../support/site.ts';
import { withDatabaseName } from '../support/with-database-name.ts';
import { ADMIN } from '../tree/people.ts';
import { type KeptSite, startKeptSite } from './kept-site.ts';

/** A random change: what is done, and three numbers that say to what, and how. */
type Change = { kind: number; at: number; to: number; how: number };

const changes = fc.array(fc.record({ kind: fc.nat(999), at: fc.nat(999), to: fc.nat(999), how: fc.nat(999) }), {
  minLength: 18,
  maxLength: 18,
});

const DATES = [null, '2020-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'];
const WORDS = ['Apple', 'Pear', 'Plum', ''];

/** Published folders, as many as a tree needs to be kept while other processes may write. */
const LARGE = `
  insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, local_roles, fields)
    select 'entry-' || n, large.oid, 'entry-' || n, '/large/entry-' || n, n, 'Folder', 'published', 'admin', 'en', now(), now(), '{}',
      jsonb_build_object('title', 'Entry ' || n)
    from generate_series(1, 110) n, (select oid from content where path = '/large') large;
  insert into catalog (oid, allowed, inactive_allowed, searchable, sortable_title)
    select c.oid, k.allowed, k.inactive_allowed, '', 'entry' from content c
    join catalog k on k.oid = c.parent where c.path like '/large/%';`;

const pick = <T>(items: readonly T[], at: number): T => items[at % items.length] as T;

describeEachEngine('navigation that is kept while something changes', (engine) => {
  let kept: KeptSite;
  let made = 0;
  let other: Database | undefined;
  /** The trees that this process keeps, and those of another one where there can be one. */
  let processes: { db: Database; trees: ReturnType<typeof keptTrees> }[];
  beforeAll(async () => {
    kept = await startKeptSite(engine);
    const { db, slots } = kept.site.kernel;
    processes = [{ db, trees: keptTrees(slots.get(CHANGE_FEED), new CacheCounts()) }];
    if (engine === 'pglite') return;
    const [{ name = '' } = {}] = await db.query<{ name: string }>({ text: 'select current_database()::text as name' });
    const url = withDatabaseName(inject('templates').postgresql?.url ?? '', name);
    other = new PostgresDatabase(url, { log: () => {} });
    processes.push({ db: other, trees: keptTrees(new ChangeFeed(other), new CacheCounts()) });
  });
  afterAll(async () => {
    await other?.close();
    await kept?.close();
  });
  const send: KeptSite['send'] = (...request) => kept.send(...request);

  /** The paths below the folder of a run, as they are now. */
  async function paths(root: string): Promise<string[]> {
    const rows = await kept.site.kernel.db.query<{ path: string }>({
      text: `select path from content where path > $1 || '/' and path < $1 || '0' order by path`,
      values: [root],
    });
    return [root, ...rows.map(({ path }) => path)];
  }

  const newName = (prefix: string): string => {
    made += 1;
    return `${prefix}${made}`;
  };
  const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

  async function create(folder: string, how: number): Promise<void> {
    const type = pick(['Folder', 'Page', 'Folder', 'News Item'], how);
    const [effective, expires] = [
      pick([null, null, null, ...DATES], how >> 2),
      pick([null, null, null, ...DATES], how >> 4),
    ];
    const { body } = await send('POST', folder, {
      ...{ '@type': type, id: newName('n'), title: pick(WORDS, how) },
      ...{ exclude_from_nav: how % 5 === 0, nextPreviousEnabled: how % 3 === 0, effective, expires },
    });
    if (how % 7 > 1 && body.id) await send('POST', `${folder}/${body.id}/@workflow/publish`, {});
  }

  const CHANGES: ((path: string, other: string, how: number) => Promise<unknown>)[] = [
    (_, other, how) => create(other, how),
    (_, other, how) => create(other, how),
    (path, _, how) => send('PATCH', path, { title: pick(WORDS, how), nav_title: pick(WORDS, how >> 3) }),
    (path, _, how) => send('PATCH', path, { exclude_from_nav: how % 2 === 0 }),
    (path, _, how) => send('PATCH', path, { effective: pick(DATES, how), expires: pick(DATES, how >> 3) }),
    (path) => send('PATCH', path, { id: newName('r') }),
    (path, other) => send('POST', `${other}/@move`, { source: path }),
    (path, other) => send('POST', `${other}/@copy`, { source: path }),
    (path, _, how) =>
      send('PATCH', parentOf(path), { ordering: { obj_id: nameOf(path), delta: pick(['top', 'bottom', 1, -1], how) } }),
    (path, _, how) => send('POST', `${path}/@workflow/${pick(['publish', 'retract', 'submit'], how)}`, {}),
    (path, _, how) =>
      send('POST', `${path}/@workflow/${pick(['publish', 'retract'], how)}`, { include_children: true }),
    (path, _, how) =>
      send('POST', `${path}/@sharing`, {
        entries: [{ id: 'reader', type: 'user', roles: { Reader: how % 2 === 0, Contributor: false } }],
        inherit: how % 5 !== 0,
      }),
    (path) => send('DELETE', path),
  ];

  const QUERIES = [
    '/@navigation?expand.navigation.depth=3',
    '/@contextnavigation?expand.contextnavigation.includeTop=1',
    '?expand=navigation,breadcrumbs,navroot,workflow,actions',
  ];

  /** Trees that end at a limit, as they were read before, with what they were made of. */
  type Seen = { rows: TreeRow[]; made: TagCollector; version: number };

  const requestFor = (root: string, principals: readonly string[], limit: number): TreeRequest => ({
    ...{ root, depth: 3, principals, rule: ViewRule.of(false), limit, inactive: false },
    ...{ states: null, open: null, shownAnyway: [], types: ['Folder', 'Page'] },
  });

  /** Compares the tree that each process keeps with a new one. */
  async function compareTrees(request: TreeRequest, rows: readonly TreeRow[], step: string): Promise<void> {
    for (const { db, trees } of processes) {
      const tree = await trees.whole(JSON.stringify(request), treeSource(db, request, 0));
      const about = `a kept tree of ${request.limit} nodes for ${request.principals} after ${step}`;
      expect(tree?.rows, about).toEqual(rows);
    }
  }

  async function readTree(root: string, principals: readonly string[], limit: number): Promise<Seen> {
    const { db, slots } = kept.site.kernel;
    const version = await slots.get(CHANGE_FEED).current();
    const made = new TagCollector();
    const collecting: Queryable = {
      async query<R extends object>(statement: Parameters<Queryable['query']>[0]) {
        const rows = await db.query<R & Record<string, unknown>>(statement);
        made.add(statement.tags?.(rows));
        return rows;
      },
    };
    const rows = await treeRows(collecting, requestFor(root, principals, limit));
    return { rows, made, version };
  }

  it('everything with a tree equals a new one after each of many random changes', { timeout: 240_000 }, async () => {
    const views = [ANONYMOUS, ADMIN].flatMap(({ principals }) => [3, 6, 2000].map((limit) => ({ principals, limit })));
    const count = { untouched: 0, touched: 0 };
    const live = async (steps: Change[]) => {
      const root = `/${newName('run')}`;
      await send('POST', '/', { '@type': 'Folder', id: root.slice(1), title: 'Run', nextPreviousEnabled: true });
      await send('POST', `${root}/@workflow/publish`, {});
      for (const how of [2, 4, 6, 8, 9]) await create(pick(await paths(root), how), how);
      let seen: Seen[] = [];
      for (const { kind, at, to, how } of steps) {
        const there = await paths(root);
        const path = pick(there, at);
        const step = `change ${kind % CHANGES.length} of ${path} to ${pick(there, to)}, ${how}`;
        await pick(CHANGES, kind)(path === root ? pick(there.slice(1).concat(root), at) : path, pick(there, to), how);
        const left = await paths(root);
        const top = left.length === 1 ? '/' : root;
        const places = [top === '/' ? '' : top, pick(left, to)];
        await kept.compare(
          places.flatMap((place) =>
            QUERIES.map((query) => (place === '' && query.startsWith('?') ? `/${query}` : place + query)),
          ),
          step,
        );
        const now: Seen[] = [];
        for (const { principals, limit } of views) {
          const tree = await readTree(root, principals, limit);
          await compareTrees(requestFor(root, principals, limit), tree.rows, step);
          now.push(tree);
        }
        const watch = kept.site.kernel.slots.get(CHANGE_FEED);
        for (const [i, { rows, made, version }] of seen.entries()) {
          if (isTouched(made.tags, watch.changesSince(version))) count.touched += 1;
          else {
            count.untouched += 1;
            expect(now[i]?.rows, `a tree of ${JSON.stringify(views[i])} after ${step}`).toEqual(rows);
          }
        }
        seen = now;
      }
      await send('DELETE', root);
    };
    await fc.assert(fc.asyncProperty(changes, live), { numRuns: propertyRuns(1, 4) });
    expect(count.untouched).toBeGreaterThan(0);
    expect(count.touched).toBeGreaterThan(0);
    for (const { trees } of processes) expect(trees.counts.hits).toBeGreaterThan(trees.counts.invalidated);
  });

  it('a large menu is corrected after a change, without reading it anew', async () => {
    const { site, statementsOf, admin } = kept;
    const { db } = site.kernel;
    await send('POST', '/', { '@type': 'Folder', id: 'large', title: 'Large' });
    await send('POST', '/large/@workflow/publish', {});
    await db.script(LARGE);
    const addresses = [
      '/large/@navigation?expand.navigation.depth=2',
      '/large/entry-7?expand=navigation&expand.navigation.depth=2',
    ];
    const corrected = ['nav-nodes-among'];
    const afterwards = async (step: string, as: Who) => {
      const run = await statementsOf(async () => {
        for (const address of addresses) expect((await site.request('GET', address, { as })).status).toBe(200);
      });
      await kept.compare(addresses, step);
      return run.filter((name) => name.startsWith('nav-'));
    };
    await kept.compare(addresses, 'nothing');
    await send('PATCH', '/large/entry-9', { title: 'Ninth', nav_title: '9 "th"' });
    expect(await afterwards('a new title', admin)).toEqual(corrected);
    await send('POST', '/large/entry-9/@workflow/retract', {});
    expect(await afterwards('a retraction', 'anonymous')).toEqual(corrected);
    await send('POST', '/large', { '@type': 'Page', id: 'entry-new', title: 'New' });
    expect(await afterwards('a new page', admin)).toEqual(corrected);
    await send('PATCH', '/large', { ordering: { obj_id: 'entry-new', delta: 'top' } });
    await afterwards('another order', admin);
    await send('PATCH', '/large', { title: 'Larger' });
    await afterwards('another container', admin);
    await send('POST', '/large/entry-7/@move', { source: '/large/entry-new' });
    await afterwards('a move', admin);
    await send('DELETE', '/large/entry-11');
    await afterwards('a removal', admin);
  });

  it('a small menu is corrected, too, where no other process can write', async () => {
    const { admin, site, statementsOf } = kept;
    const read = async () => (await site.request('GET', '/@navigation', { as: admin })).text;
    await send('POST', '/', { '@type': 'Folder', id: 'few', title: 'Few' });
    await read();
    await send('PATCH', '/few', { title: 'Fewer' });
    const run = await statementsOf(async () => expect(await read()).toContain('Fewer'));
    const [statement] = run.filter((name) => name.startsWith('nav-'));
    expect(statement).toBe(engine === 'pglite' ? 'nav-nodes-among' : 'nav-level');
    await kept.compare(['/@navigation'], 'a new title');
  });

  it.each([
    ['/kept/in/@navigation', '/kept'],
    ['/kept/in/@navigation?expand.navigation.depth=2', '/kept/in'],
    ['/kept/in/@contextnavigation?expand.contextnavigation.currentFolderOnly=1', '/kept/in/a'],
    ['/kept/in/a?expand=navigation,breadcrumbs,navroot,workflow', '/kept/in/b'],
  ])('a write elsewhere leaves %s as it is kept, and one of %s does not', async (address, shown) => {
    const { admin, site, statementsOf } = kept;
    if ((await site.request('GET', '/kept')).status === 404) {
      await send('POST', '/', { '@type': 'Folder', id: 'kept', title: 'Kept' });
      await send('POST', '/kept', { '@type': 'Folder', id: 'in', title: 'In', nextPreviousEnabled: true });
      for (const id of ['a', 'b']) await send('POST', '/kept/in', { '@type': 'Page', id, title: id });
      await send('POST', '/', { '@type': 'Folder', id: 'elsewhere', title: 'Elsewhere' });
      await send('POST', '/elsewhere', { '@type': 'Folder', id: 'deep', title: 'Deep' });
      await send('POST', '/elsewhere/deep', { '@type': 'Page', id: 'page', title: 'Page' });
    }
    const read = async () => (await site.request('GET', address, { as: admin })).text;
    const before = await read();
    await read();
    await send('PATCH', '/elsewhere/deep/page', { title: 'Another' });
    expect(await statementsOf(async () => expect(await read()).toBe(before))).toEqual([]);
    const title = `Changed for ${address.length}`;
    await send('PATCH', shown, { title });
    expect(await read()).toContain(title);
  });
});
