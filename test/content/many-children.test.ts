import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { useTestSite } from '../support/use-site.ts';

const CHILDREN = 1300;

describeEachEngine('a folder of many children', (engine) => {
  const site = useTestSite(engine);
  const list = async (query: string) => {
    const { body } = await site.request('GET', `/many?${query}`);
    return { total: body.items_total, names: body.items.map((item: { id: string }) => item.id) };
  };
  const expected = (start: number, size: number) =>
    Array.from({ length: Math.max(0, Math.min(size, CHILDREN - start)) }, (_, i) => `page-${start + i + 1}`);

  it('lists its children in their order, takes new ones, and counts at once what was added, hidden and moved', async () => {
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'many', title: 'Many' } });
    await site.kernel.db.script(`
      insert into content (uid, parent, name, path, position, type, review_state, owner, created, modified, fields)
        select 'many-' || n, f.oid, 'page-' || n, '/many/page-' || n, n, 'Page', 'private', 'admin', now(), now(), jsonb_build_object('title', 'Page')
        from content f, generate_series(1, ${CHILDREN}) n where f.path = '/many';
      insert into catalog (oid, allowed, inactive_allowed) select oid, '{role:Manager}', '{role:Manager}' from content where path like '/many/%';`);
    for (const start of [0, 1000, 1250, 1290, 600, 1200, 2000])
      expect(await list(`b_start=${start}&b_size=30`)).toEqual({ total: CHILDREN, names: expected(start, 30) });

    const added = await site.request('POST', '/many', { json: { '@type': 'Page', title: 'Page' } });
    expect(added.body.id).toBe('page');
    const next = await site.request('POST', '/many', { json: { '@type': 'Page', title: 'Page' } });
    expect(next.body.id).toBe(`page-${CHILDREN + 1}`);
    expect(await list('b_start=1299&b_size=30')).toEqual({
      total: CHILDREN + 2,
      names: [`page-${CHILDREN}`, 'page', `page-${CHILDREN + 1}`],
    });

    await site.request('DELETE', '/many/page-5');
    await site.request('PATCH', '/many', { json: { ordering: { obj_id: 'page', delta: 'top' } } });
    expect(await list('b_size=6')).toEqual({
      total: CHILDREN + 1,
      names: ['page', 'page-1', 'page-2', 'page-3', 'page-4', 'page-6'],
    });
    expect((await list('b_start=1298&b_size=30')).names).toEqual(['page-1299', 'page-1300', 'page-1301']);
  });
});
