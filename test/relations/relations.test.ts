import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker } from '../jobs/job-site.ts';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

const REL = 'relatedItems';

describeEachEngine('relations', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site.close());
  const { add, user, remove, restore, read, rows, request } = binOf(() => site);

  const pages = async (count: number): Promise<Json[]> => {
    const made = [];
    for (let i = 0; i < count; i += 1) made.push(await add('/'));
    return made;
  };
  const item = (source: Json, target: Json, relation = REL) => ({ source: source.UID, target: target.UID, relation });
  const link = (items: Json[], as: Who = 'admin') => request('POST', '/@relations', { as, json: { items } });
  const unlink = (json: Json, as: Who = 'admin') => request('DELETE', '/@relations', { as, json });
  const query = async (search: string, as: Who = 'admin') =>
    (await request('GET', `/@relations?${search}`, { as })).body;
  const pairs = ({ relations }: Json) =>
    (relations[REL]?.items ?? []).map(({ source, target }: Json) => [source.UID, target.UID]);
  const publish = (page: Json) => request('POST', `${page.path}/@workflow/publish`, { json: {} });

  it('adding and removing relations changes the fields of their sources, each source once and with one version', async () => {
    const [a, b, c] = await pages(3);
    const before = await rows('select number from version where content = (select oid from content where uid = $1)', [
      a.UID,
    ]);
    expect((await link([item(a, b), item(a, c), { ...item(a, b), target: b.path }])).status).toBe(204);
    expect((await read(a.path))[REL].map(({ UID }: Json) => UID)).toEqual([b.UID, c.UID]);
    const after = await rows('select number from version where content = (select oid from content where uid = $1)', [
      a.UID,
    ]);
    expect(after.length - before.length).toBe(1);
    expect((await unlink({ source: a['@id'], target: b.UID })).status).toBe(204);
    expect(pairs(await query(`source=${a.path}`))).toEqual([[a.UID, c.UID]]);
  });

  it('relations that cannot be added are reported with reasons, and the others are added', async () => {
    const [a, b, c] = await pages(3);
    await request('POST', `${c.path}/@lock`, { json: {} });
    const asked = [
      item(a, b),
      item(a, b, 'title'),
      item(a, b, 'isReferencing'),
      { ...item(a, b), source: '/none' },
      item(c, b),
    ];
    const { status, body } = await link(asked);
    expect(status).toBe(422);
    expect(body.error.failed.map(([, reason]: Json) => reason.replace('Failed on creating a relation. ', ''))).toEqual([
      'Source not found.',
      'Relation not found.',
      'Relation not found.',
      'Source is locked.',
    ]);
    expect(pairs(await query(`relation=${REL}&source=${a.UID}`))).toEqual([[a.UID, b.UID]]);
  });

  it('changing relations needs the permission to modify every source, otherwise nothing changes', async () => {
    const folder = await add('/', 'Folder');
    const who = await user(folder.path);
    const own = await add(folder.path, 'Page', {}, who);
    const [a, b, hidden] = await pages(3);
    for (const page of [a, b]) await publish(page);
    expect((await link([item(own, b)], who)).status).toBe(204);
    expect((await link([item(own, a), item(a, b)], who)).status).toBe(403);
    expect(pairs(await query(`source=${own.UID}`))).toEqual([[own.UID, b.UID]]);
    const refused = await link([item(own, hidden)], who);
    expect([refused.status, refused.body.error.failed[0][1]]).toEqual([
      422,
      'Failed on creating a relation. Target not found.',
    ]);
    await link([item(a, b)]);
    expect((await unlink({ target: b.UID }, who)).status).toBe(403);
    expect((await unlink({ target: b.UID }, 'anonymous')).status).toBe(401);
    expect((await unlink({})).status).toBe(400);
    expect((await unlink({ source: '/none' })).status).toBe(404);
  });

  it('lists and counts of relations leave out ends that the caller may not view', async () => {
    const [a, open, closed] = await pages(3);
    for (const page of [a, open]) await publish(page);
    const countsOf = async () => (await request('GET', '/@relations', { as: 'anonymous' })).body.stats[REL] ?? 0;
    const before = await countsOf();
    await link([item(a, open), item(a, closed), item(closed, a)]);
    expect(await countsOf()).toBe(before + 1);
    const seen = await query(`source=${a.path}`, 'anonymous');
    expect(pairs(seen)).toEqual([[a.UID, open.UID]]);
    expect(seen.relations[REL].items_total).toBe(1);
    expect((await request('GET', `/@relations?source=${closed.UID}`, { as: 'anonymous' })).status).toBe(404);
  });

  it('a relation to deleted content is listed as broken, can be removed, and is whole again once the target is restored', async () => {
    const [a, b, c] = await pages(3);
    await link([item(a, b), item(a, c)]);
    const [gone, back] = [await remove(b), await remove(c)];
    expect((await query('onlyBroken=true')).relations[REL].items).toEqual([
      [a['@id'], b.UID],
      [a['@id'], c.UID],
    ]);
    expect((await request('GET', '/@relations')).body.broken[REL]).toBe(2);
    expect((await unlink({ items: [item(a, b)] })).status).toBe(204);
    await restore(back);
    await restore(gone);
    expect(pairs(await query(`source=${a.UID}`))).toEqual([[a.UID, c.UID]]);
    expect((await request('GET', '/@relations?onlyBroken=1')).status).toBe(204);
  });

  it('relations can be filtered by path and words of their ends and limited in number', async () => {
    const folder = await add('/', 'Folder');
    const inside = await add(folder.path, 'Page', { title: 'Xylophone' });
    const [a, b] = await pages(2);
    await link([item(a, b), item(a, inside), item(b, inside)]);
    expect(pairs(await query(`query_target=${folder.path}/&source=${a.UID}`))).toEqual([[a.UID, inside.UID]]);
    expect(pairs(await query('query_target=xylo'))).toHaveLength(2);
    expect(pairs(await query('query_source=xylo'))).toEqual([]);
    const limited = await query('query_target=xylophone&max=1');
    expect([pairs(limited).length, limited.relations[REL].items_total]).toEqual([1, 2]);
    expect((await request('GET', '/@relations?max=abc')).status).toBe(400);
    expect((await query('relation=isReferencing')).relations.isReferencing.readonly).toBe(true);
  });

  it('a rebuild leaves the index of references unchanged', async () => {
    const before = await rows('select * from reference order by source, position');
    expect(before.length).toBeGreaterThan(5);
    expect((await request('POST', '/@relations/rebuild', { json: { flush: 1 } })).status).toBe(204);
    expect(await rows('select * from reference order by source, position')).toEqual(before);
  });

  it('a relation field that needs a permission to be read is nowhere listed, counted or removed in bulk', async () => {
    const [target] = await pages(1);
    await request('POST', '/@controlpanels/dexterity-types', { json: { id: 'Deal', title: 'Deal' } });
    const field = { factory: 'Relation List', title: 'Partners' };
    expect((await request('POST', '/@types/Deal', { json: field })).status).toBe(201);
    const source = await add('/', 'Deal', { partners: [target?.UID] });
    const sees = async (search: string) => JSON.stringify(await query(search)).includes(source.UID);
    const breaches = async () => (await request('GET', `/@linkintegrity?uids=${target?.UID}`)).body[0].breaches.length;
    expect([await sees(''), await sees('relation=partners'), await breaches()]).toEqual([false, true, 1]);
    expect((await query('')).stats.partners).toBe(1);
    const closed = { read_permission: 'Manage users' };
    expect((await request('PATCH', '/@types/Deal/partners', { json: closed })).status).toBe(204);
    expect([await sees('relation=partners'), await sees(`target=${target?.UID}`), await breaches()]).toEqual([
      false,
      false,
      0,
    ]);
    expect((await query('')).stats.partners).toBeUndefined();
    expect((await unlink({ source: source.UID })).status).toBe(204);
    expect((await read(source.path)).partners.length).toBe(1);
  });

  it('a link in a field with a read permission is listed only if a public field has it as well', async () => {
    const [target] = await pages(1);
    await request('POST', '/@controlpanels/dexterity-types', { json: { id: 'Offer', title: 'Offer' } });
    for (const title of ['Inside', 'Outside'])
      expect((await request('POST', '/@types/Offer', { json: { factory: 'Rich Text', title } })).status).toBe(201);
    const html = { data: `<p><a href="/resolveuid/${target?.UID}">Link</a></p>`, 'content-type': 'text/html' };
    const source = await add('/', 'Offer', { inside: html });
    const other = await add('/', 'Offer', { inside: html, outside: html });
    const listed = async () => {
      const text = JSON.stringify((await query(`relation=isReferencing&target=${target?.UID}`)).relations);
      return [source, other].map(({ UID }) => text.includes(UID));
    };
    const breaches = async () =>
      (await request('GET', `/@linkintegrity?uids=${target?.UID}`)).body[0].breaches.map(({ uid }: Json) => uid).sort();
    const count = async () => (await query('')).stats.isReferencing;
    expect(await listed()).toEqual([true, true]);
    const before = await count();
    const closed = { read_permission: 'Manage users' };
    expect((await request('PATCH', '/@types/Offer/inside', { json: closed })).status).toBe(204);
    // No job runs on this site.
    const rebuild = async () => expect((await request('POST', '/@relations/rebuild', { json: {} })).status).toBe(204);
    await rebuild();
    expect(await listed()).toEqual([false, true]);
    expect([await breaches(), await count()]).toEqual([[other.UID], before - 1]);
    const text = JSON.stringify(await query(`source=${source.UID}`));
    expect(text).not.toContain(target?.UID);
    const added = await add('/', 'Offer', { inside: html });
    expect(await breaches()).not.toContain(added.UID);
    // The job of the change does the same for lists that are not rebuilt.
    await rows("update reference set relation = 'isReferencing' where relation = 'isReferencing.closed'");
    expect(await breaches()).toContain(source.UID);
    const worker = await startWorker(site.kernel);
    try {
      await expect.poll(listed, { timeout: 30_000 }).toEqual([false, true]);
    } finally {
      await worker.close();
    }
    expect(await breaches()).toEqual([other.UID]);
    expect((await request('PATCH', '/@types/Offer/inside', { json: { read_permission: null } })).status).toBe(204);
    await rebuild();
    expect(await listed()).toEqual([true, true]);
  });
});
