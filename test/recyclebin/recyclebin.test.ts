import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { propertyRuns } from '../support/property-runs.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { binOf } from './recyclebin-site.ts';

describeEachEngine('the recycle bin', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, user, list, remove, restore, read, status, rows, request } = binOf(() => site);

  /** Everything that is stored about content at or below a path, except for its place in the tree. */
  const stored = async (path: string): Promise<Json> => {
    const values = [`${path}/`, path];
    const below = `select oid from content where path = $2 or starts_with(path, $1)`;
    return {
      content: await rows(`select to_jsonb(c) as row from content c where oid in (${below}) order by oid`, values),
      catalog: await rows(`select to_jsonb(k) as row from catalog k where oid in (${below}) order by oid`, values),
      reference: await rows(`select * from reference where source in (${below}) order by source, position`, values),
      history: await rows(`select * from workflow_history where content in (${below}) order by id`, values),
      version: await rows(`select * from version where content in (${below}) order by content, number`, values),
      comment: await rows(`select * from comment where content in (${below}) order by id`, values),
      redirect: await rows(`select path, target from redirect where target in (${below}) order by path`, values),
    };
  };

  it('restored content has everything that belonged to it, as it was', async () => {
    const outside = await add('/');
    const folder = await add('/', 'Folder');
    const first = await add(folder.path, PAGE, { relatedItems: [outside.UID], subjects: ['Ångström'] });
    await add(folder.path);
    const sub = await add(folder.path, 'Folder');
    await add(sub.path, PAGE, { effective: '2026-01-02T03:04:05.678Z' });
    await request('PATCH', folder.path, { json: { ordering: { obj_id: first.id, delta: 'bottom' } } });
    await request('PATCH', first.path, { json: { title: 'Second version', changeNote: 'why' } });
    await request('PATCH', first.path, { json: { id: 'renamed' } });
    await request('POST', `${folder.path}/@workflow/publish`, { json: { comment: 'now' } });
    const [{ oid }] = await rows('select oid from content where uid = $1', [first.UID]);
    await rows(`insert into comment (id, content, body, created, modified) values ('c1', $1, 'Hi', now(), now())`, [
      oid,
    ]);
    await rows(
      `insert into comment (id, content, in_reply_to, body, created, modified) values ('a2', $1, 'c1', 'Ho', now(), now())`,
      [oid],
    );
    const before = await stored(folder.path);
    expect(before.version.length).toBeGreaterThan(0);
    expect(before.redirect).toHaveLength(1);

    const entry = await remove(folder);
    expect((await rows(`select 1 from comment where id = 'c1'`)).length).toBe(0);
    expect((await restore(entry)).status).toBe(200);
    expect(await stored(folder.path)).toEqual(before);
    expect((await read(folder.path)).items.map(({ id }: Json) => id).at(-1)).toBe('renamed');
    expect((await request('GET', first.path)).headers.get('location')).toContain('/renamed');
    expect((await list()).items_total).toBe(0);
    expect(await rows('select 1 from recycled_row union all select 1 from recycled_object')).toEqual([]);
  });

  it('deleted content is in no list, link or search, and its id can be used again', async () => {
    const target = await add('/', PAGE, { id: 'gone', title: 'Zymurgy' });
    const source = await add('/', PAGE, { relatedItems: [target.UID] });
    const entry = await remove(target);
    expect(await status('/gone')).toBe(404);
    expect((await read(`/@search?SearchableText=Zymurgy`)).items_total).toBe(0);
    expect((await read(source.path)).relatedItems).toEqual([]);
    expect(JSON.stringify(await read('/@navigation'))).not.toContain('Zymurgy');
    const again = await add('/', PAGE, { id: 'gone' });
    expect(again.path).toBe('/gone');
    const restored = await restore(entry);
    expect(restored.body.restored_item).toMatchObject({ id: 'gone-1', title: 'Zymurgy' });
    expect((await read('/gone')).UID).toBe(again.UID);
    expect((await read(source.path)).relatedItems.map(({ UID }: Json) => UID)).toEqual([target.UID]);
  });

  it('content can be restored to another allowed folder, and its old addresses redirect there', async () => {
    const folder = await add('/', 'Folder');
    const page = await add(folder.path, 'Folder');
    const leaf = await add(page.path);
    const target = await add('/', 'Folder');
    const last = await add(target.path, 'Link', { remoteUrl: 'https://example.org' });
    const entry = await remove(page);
    expect((await restore(entry, { target_path: `${target.path}/nowhere` })).status).toBe(400);
    expect((await restore(entry, { target_path: 'https://elsewhere.example/x' })).status).toBe(400);
    expect((await restore(entry, { target_path: last.path })).status).toBe(403);
    const { body } = await restore(entry, { target_path: target.path });
    expect(body.restored_item['@id']).toBe(`${target['@id']}/${page.id}`);
    expect((await read(target.path)).items.map(({ id }: Json) => id)).toEqual([last.id, page.id]);
    expect((await read(`${target.path}/${page.id}/${leaf.id}`)).UID).toBe(leaf.UID);
    expect((await request('GET', leaf.path)).headers.get('location')).toBe(
      `${site.url}${target.path}/${page.id}/${leaf.id}`,
    );
  });

  it('restoring needs a target when the folder is gone, and follows a folder that moved', async () => {
    const folder = await add('/', 'Folder');
    const page = await add(folder.path);
    const other = await add(folder.path);
    const [entry, otherEntry] = [await remove(page), await remove(other)];
    await request('PATCH', folder.path, { json: { id: 'moved' } });
    expect((await restore(otherEntry)).body.restored_item['@id']).toBe(`${site.url}/moved/${other.id}`);
    await remove({ path: '/moved' });
    const refused = await restore(entry);
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('target_path')]);
    expect((await restore(entry, { target_path: '/' })).status).toBe(200);
    expect((await read(`/${page.id}`)).UID).toBe(page.UID);
  });

  it('a part of a deletion can be restored alone, and the rest stays in the recycle bin', async () => {
    const folder = await add('/', 'Folder');
    const sub = await add(folder.path, 'Folder');
    const leaf = await add(sub.path);
    await add(folder.path);
    const entry = await remove(folder);
    const { items, items_total } = await read(`/@recyclebin/${entry.recycle_id}`);
    expect(items_total).toBe(3);
    const item = items.find(({ path }: Json) => path === sub.path);
    expect(item).toMatchObject({ id: sub.id, children_count: 1, parent_path: folder.path });
    expect((await restore(entry, { restore_id: item.restore_id })).status).toBe(400);
    expect((await restore(entry, { restore_id: 'unknown', target_path: '/' })).status).toBe(400);
    expect((await restore(entry, { restore_id: item.restore_id, target_path: '/' })).status).toBe(200);
    expect((await read(`/${sub.id}/${leaf.id}`)).UID).toBe(leaf.UID);
    expect(await read(`/@recyclebin/${entry.recycle_id}`)).toMatchObject({ items_total: 1, has_children: true });
    expect((await restore(entry)).status).toBe(200);
    expect((await read(folder.path)).items_total).toBe(1);
  });

  it('content is not restored while other content has its UID', async () => {
    const page = await add('/');
    const entry = await remove(page);
    await add('/', PAGE, { UID: page.UID });
    expect((await restore(entry)).status).toBe(400);
    expect((await list(`?path=${page.path}`)).items_total).toBe(1);
  });

  it('only one of concurrent requests restores an entry, and nested deletions are separate entries', async () => {
    const folder = await add('/', 'Folder');
    const page = await add(folder.path);
    const deletions = await Promise.all([folder, page, folder].map(({ path }) => request('DELETE', path)));
    for (const { status: response } of deletions) expect([204, 404]).toContain(response);
    expect(deletions.filter((response) => response.status === 204).length).toBeGreaterThan(0);
    const { items } = await list(`?path=${folder.path}`);
    const top = items.find(({ path }: Json) => path === folder.path);
    const restored = await Promise.all([restore(top), restore(top), restore(top)]);
    expect(restored.map((response) => response.status).sort()).toEqual([200, 404, 404]);
    const inner = items.find(({ path }: Json) => path === page.path);
    if (inner) expect((await restore(inner)).status).toBe(200);
    expect((await read(page.path)).UID).toBe(page.UID);
  });

  it('users other than managers see and restore only what they deleted themselves', async () => {
    const folder = await add('/', 'Folder');
    const [who, other] = [await user(folder.path), await user(folder.path)];
    const own = await add(folder.path, PAGE, { title: 'Own one' }, who);
    const foreign = await remove(await add(folder.path, PAGE, { title: 'Secret one' }));
    const entry = await remove(own, who);
    expect(await list('', who)).toMatchObject({ items_total: 1, items: [{ title: 'Own one' }] });
    expect((await list('', other)).items_total).toBe(0);
    expect((await list('?b_size=0', other)).items_total).toBe(0);
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', '/restore'],
      ['DELETE', ''],
    ] as const) {
      const ask = (as: Json, id: string) =>
        request(method, `/@recyclebin/${id}${suffix}`, { as, ...(method === 'POST' ? { json: {} } : {}) });
      expect((await ask('anonymous', entry.recycle_id)).status).toBe(401);
      expect((await ask(other, entry.recycle_id)).status).toBe(403);
      expect((await ask(who, foreign.recycle_id)).status).toBe(403);
      expect((await ask(who, 'unknown')).status).toBe(404);
    }
    expect((await restore(entry, { target_path: '/' }, who)).status).toBe(403);
    expect((await request('DELETE', '/@recyclebin', { as: who })).status).toBe(204);
    expect((await list(`?path=${folder.path}/`)).items.map(({ title }: Json) => title)).toEqual(['Secret one']);
  });

  it('content is not restored to a folder on which the deleter has lost the permissions', async () => {
    const folder = await add('/', 'Folder');
    const who = await user(folder.path);
    await request('POST', `${folder.path}/@workflow/publish`, { json: {} });
    const entry = await remove(await add(folder.path, PAGE, {}, who), who);
    const entries = [
      { id: (who as { login: string }).login, type: 'user', roles: { Contributor: false, Editor: false } },
    ];
    await request('POST', `${folder.path}/@sharing`, { json: { entries } });
    expect((await restore(entry, {}, who)).status).toBe(403);
  });

  it('the list of the recycle bin can be filtered, sorted and batched', async () => {
    await request('DELETE', '/@recyclebin');
    const folder = await add('/', 'Folder', { title: 'B wheel' });
    await add(folder.path);
    await remove(folder);
    await remove(await add('/', PAGE, { title: 'A wheel' }));
    await remove(await add('/', PAGE, { title: '100% c_wheel' }));
    const titles = async (query: string) => (await list(query)).items?.map(({ title }: Json) => title);
    expect(await titles('')).toEqual(['100% c_wheel', 'A wheel', 'B wheel']);
    expect(await titles('?sort_on=title&sort_order=descending')).toEqual(['B wheel', 'A wheel', '100% c_wheel']);
    expect(await titles('?title=% C_')).toEqual(['100% c_wheel']);
    expect(await titles('?portal_type=Folder')).toEqual(['B wheel']);
    expect(await titles('?has_subitems=without_subitems&sort_on=title')).toEqual(['100% c_wheel', 'A wheel']);
    expect(await titles('?date_to=2020-01-01')).toEqual([]);
    expect(
      await titles(`?date_from=${new Date().toISOString().slice(0, 10)}&deleted_by=admin&review_state=private`),
    ).toHaveLength(3);
    expect(await list('?b_size=2&b_start=2')).toMatchObject({
      items: [{ title: 'B wheel' }],
      items_total: 3,
      batching: {},
    });
    for (const wrong of ['?sort_on=deleted;', '?date_from=x', '?b_size=x', '?has_subitems=x', '?sort_order=x'])
      expect((await request('GET', `/@recyclebin${wrong}`)).status, wrong).toBe(400);
  });

  it('a deletion purges entries that are older than the retention period', async () => {
    const old = await remove(await add('/'));
    const young = await remove(await add('/'));
    await rows(`update recycled set deleted = now() - interval '31 days' where id = $1`, [old.recycle_id]);
    await remove(await add('/'));
    await expect.poll(() => status(`/@recyclebin/${old.recycle_id}`)).toBe(404);
    expect(await status(`/@recyclebin/${young.recycle_id}`)).toBe(200);
  });

  it('many objects can be deleted and restored', async () => {
    const many = propertyRuns(2000, 10_000);
    const folder = await add('/', 'Folder');
    await rows(
      `with made as (insert into content (uid, parent, name, path, position, type, review_state, owner, language, created, modified, fields)
         select 'many-' || n, c.oid, 'p' || n, c.path || '/p' || n, n, '${PAGE}', 'private', 'admin', 'en', now(), now(),
           jsonb_build_object('title', 'Page ' || n, 'description', repeat('text ', 100))
         from content c, generate_series(1, $2::int) n where c.path = $1 returning oid),
       listed as (insert into catalog (oid, allowed) select oid, '{role:Manager}' from made)
       insert into workflow_history (content, workflow, actor, review_state, at)
         select oid, 'simple_publication_workflow', 'admin', 'private', now() from made`,
      [folder.path, many],
    );
    // PostgreSQL's autovacuum does this, but later.
    await rows('analyze');
    const start = performance.now();
    const entry = await remove(folder);
    const deleted = performance.now();
    expect(entry.items_count).toBe(many);
    expect((await restore(entry)).status).toBe(200);
    const restored = performance.now();
    expect((await read(`${folder.path}?b_size=1`)).items_total).toBe(many);
    console.log(
      `${engine}: ${many} deleted in ${Math.round(deleted - start)} ms, restored in ${Math.round(restored - deleted)} ms`,
    );
    // 10,000 take three seconds on an idle machine.
    expect(deleted - start).toBeLessThan(12_000);
    expect(restored - deleted).toBeLessThan(60_000);
  }, 120_000);

  it('deleted content is gone when the recycle bin is switched off', async () => {
    await rows(`insert into configuration (kind, id, data) values ('setting', 'recyclebin', '{"recycling_enabled": false}')
      on conflict (kind, id) do update set data = excluded.data`);
    await rows(`update site_state set value = (value::bigint + 1)::text where name = 'configuration'`);
    const page = await add('/');
    expect(await remove(page)).toBeUndefined();
    expect(await status(page.path)).toBe(404);
  });
});
