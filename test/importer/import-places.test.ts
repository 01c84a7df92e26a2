import { expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import type { Progress } from '../../src/lib/process/progress.ts';
import { describeQuickestEngine } from '../support/database.ts';
import { childrenOf, freshSite, messages, rowCounts, run, stored } from './import-helpers.ts';
import { page, site, writeExport } from './readers/helpers.ts';

const numbered = (values: unknown[]) => Object.fromEntries(values.map((value, index) => [`${index + 1}.json`, value]));

/** A progress callback that stops the import after some batches, like a kill between two transactions. */
const killAfter = (batches: number) => (): Progress => {
  let left = batches + 1;
  return {
    tick: () => {
      left -= 1;
      if (left === 0) throw new Error('killed');
    },
    done: () => {},
  };
};

/** Runs `before`, a concurrent change, ahead of the transaction that writes the first objects. */
function interfering(inner: Database, before: (db: Database) => Promise<void>): { db: Database; arm(): void } {
  let armed = false;
  const db = Object.create(inner, {
    engine: { get: () => inner.engine },
    query: { value: inner.query.bind(inner) },
    listen: { value: inner.listen.bind(inner) },
    script: { value: inner.script.bind(inner) },
    transaction: {
      value: async (work: Parameters<Database['transaction']>[0]) => {
        if (armed) await before(inner);
        return inner.transaction(work);
      },
    },
  });
  return {
    db,
    arm: () => {
      armed = true;
    },
  };
}

describeQuickestEngine('places of an import', (engine) => {
  it('imported objects keep the order of the export, after the present ones', async () => {
    const { kernel } = await freshSite(engine);
    await run(kernel, await writeExport(numbered([page('/old-1'), page('/old-2')])));
    const directory = await writeExport({
      ...numbered([
        site('/Plone'),
        page('/c', { UID: 'c' }),
        page('/a', { UID: 'a' }),
        page('/b', { UID: 'b' }),
        page('/c/2'),
        page('/c/1'),
      ]),
      'ordering.json': [
        { uuid: 'a', order: 0 },
        { uuid: 'b', order: 1 },
        { uuid: 'c', order: 2 },
      ],
    });
    await run(kernel, directory, { batchSize: 2 });
    expect(await childrenOf(kernel, '/')).toEqual(['old-1', 'old-2', 'a', 'b', 'c']);
    expect(await childrenOf(kernel, '/c')).toEqual(['2', '1']);
  });

  it('an interrupted import continues in order and creates nothing twice', async () => {
    const whole = await freshSite(engine);
    const { kernel } = await freshSite(engine);
    const pages = Array.from({ length: 30 }, (_, index) => page(`/f${index % 3}/p${index}`, { UID: `p${index}` }));
    const folders = [0, 1, 2].map((index) => page(`/f${index}`, { UID: `f${index}` }));
    const directory = await writeExport({
      ...numbered([site('/Plone'), ...folders, ...pages]),
      'ordering.json': pages.map(({ UID }, index) => ({ uuid: UID, order: 100 - index })),
      'relations.json': [{ from_uuid: 'f0', to_uuid: 'p29', relationship: 'relatedItems' }],
      'translations.json': [{ en: 'f0', de: 'p28' }],
      'discussion.json': [{ uuid: 'p29', conversation: { items: [{ comment_id: '1', text: 'x' }] } }],
      'redirects.json': { '/Plone/x': '/Plone/f0/p27' },
    });
    await expect(run(kernel, directory, { batchSize: 4, progress: killAfter(4) })).rejects.toThrow('killed');
    const half = (await rowCounts(kernel)).content ?? 0;
    expect(half).toBeGreaterThan(4);
    expect(half).toBeLessThan(30);
    const summary = await run(kernel, directory, { batchSize: 4 });
    expect(summary.objects).toEqual({ created: 34 - half, skipped: half, failed: 0 });
    await run(whole.kernel, directory);
    const [resumed, once] = [await stored(kernel), await stored(whole.kernel)];
    expect([...resumed.keys()]).toEqual([...once.keys()]);
    expect(await rowCounts(kernel)).toEqual(await rowCounts(whole.kernel));
    for (const path of ['/', '/f0', '/f1', '/f2']) {
      expect(await childrenOf(kernel, path)).toEqual(await childrenOf(whole.kernel, path));
    }
    expect(resumed.get('/f0')?.translations).toBe(resumed.get('/f1/p28')?.translations);
    expect((await run(kernel, directory)).objects).toEqual({ created: 0, skipped: 34, failed: 0 });
  });

  it('present objects with the same path or UID stay unchanged and get the exported children', async () => {
    const { kernel } = await freshSite(engine);
    await run(
      kernel,
      await writeExport(numbered([page('/a', { UID: 'mine', title: 'Mine' }), page('/moved', { UID: 'u-b' })])),
    );
    const directory = await writeExport(
      numbered([
        page('/a', { UID: 'theirs', title: 'Theirs' }),
        page('/a/child'),
        page('/b', { UID: 'u-b' }),
        page('/b/child', { relatedItems: [{ UID: 'theirs' }, { '@id': '/b' }] }),
      ]),
    );
    const summary = await run(kernel, directory);
    expect(summary.objects).toEqual({ created: 2, skipped: 2, failed: 0 });
    const objects = await stored(kernel);
    expect([...objects.keys()]).toEqual(['/', '/a', '/a/child', '/moved', '/moved/child']);
    expect(objects.get('/a')).toMatchObject({ uid: 'mine', fields: { title: 'Mine' } });
    expect(objects.get('/moved/child')?.fields.relatedItems).toEqual(['mine', 'u-b']);
    expect(messages(summary).slice(0, 2)).toEqual([
      '/b Content with its UID is there already, at /moved, and stays as it is.',
      '/a There is content at /a already, which stays as it is.',
    ]);
  });

  it('reserved names are kept, control characters in names are replaced and reported', async () => {
    const { kernel } = await freshSite(engine);
    const names = ['login', 'edit', 'plone', 'a?b', 'Über', '_x', 'a\u0001b', 'a\u0002b'];
    const addresses = names.map((name) => `/${encodeURIComponent(name)}`);
    const summary = await run(kernel, await writeExport(numbered(addresses.map((address) => page(address)))));
    expect(await childrenOf(kernel, '/')).toEqual(['login', 'edit', 'plone', 'a?b', 'Über', '_x', 'a-b', 'a-b-1']);
    expect(messages(summary).filter((message) => message.includes('Its id cannot'))).toHaveLength(2);
  });

  it('missing containers of an export are replaced by empty folders', async () => {
    const { kernel } = await freshSite(engine);
    const directory = await writeExport(numbered([page('/x/y/z')]));
    const summary = await run(kernel, directory);
    const objects = await stored(kernel);
    expect([...objects].map(([path, { type }]) => [path, type])).toEqual([
      ['/', 'Site'],
      ['/x', 'Folder'],
      ['/x/y', 'Folder'],
      ['/x/y/z', 'Page'],
    ]);
    expect(messages(summary)).toContain('/x The container is not in the export; it is made as an empty Folder.');
    await run(kernel, directory);
    expect((await stored(kernel)).size).toBe(4);
  });

  it('objects with too long paths are left out with everything below them, the rest is imported', async () => {
    const { kernel } = await freshSite(engine);
    const long = `/${'n'.repeat(2100)}`;
    const summary = await run(kernel, await writeExport(numbered([page(long), page(`${long}/child`), page('/short')])));
    expect(summary.objects).toEqual({ created: 1, skipped: 0, failed: 2 });
    expect((await stored(kernel)).has('/short')).toBe(true);
  });

  it('objects created at the same path during an import stay and get the exported children', async () => {
    let arm = () => {};
    const { kernel } = await freshSite(engine, {
      wrap: (inner) => {
        const wrapped = interfering(inner, async (db) => {
          await db.query({
            text: `insert into content (uid, parent, name, path, type, owner, created, modified)
              select 'theirs', oid, 'b', '/b', 'Page', 'eve', now(), now() from content where path = '/' on conflict do nothing`,
          });
          await db.query({
            text: `insert into catalog (oid, allowed) select oid, '{}' from content where path = '/b' on conflict do nothing`,
          });
        });
        arm = wrapped.arm;
        return wrapped.db;
      },
    });
    const pages = [page('/a'), page('/b'), page('/b/c'), page('/d')];
    const directory = await writeExport(numbered(pages));
    // The plan is made after the first transaction, which writes the principals.
    const progress = () => ({ tick: () => arm(), done: () => {} });
    const summary = await run(kernel, directory, { progress });
    const objects = await stored(kernel);
    expect([...objects.keys()]).toEqual(['/', '/a', '/b', '/b/c', '/d']);
    expect(objects.get('/b')?.owner).toBe('eve');
    expect(summary.objects).toEqual({ created: 3, skipped: 1, failed: 0 });
  });

  it('the root gets exported values on a new site only', async () => {
    const { kernel } = await freshSite(engine);
    const root = (title: string) => writeExport(numbered([{ ...site('/Plone'), title, UID: title }]));
    expect((await run(kernel, await root('First'))).objects.created).toBe(1);
    const second = await run(kernel, await root('Second'));
    expect(second.objects).toEqual({ created: 0, skipped: 1, failed: 0 });
    expect((await stored(kernel)).get('/')).toMatchObject({ uid: 'First', fields: { title: 'First' }, owner: 'admin' });
  });
});
