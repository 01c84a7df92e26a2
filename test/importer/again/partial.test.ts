import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { freshSite, stored } from '../import-helpers.ts';
import { moveHere, removeHere, updateStored } from './edit-here.ts';
import { add, importNow, move, type OldSite, oldSite, remove } from './old-site.ts';

/** A site with two folders and two pages. */
function smallSite(): OldSite {
  const site = oldSite();
  add(site, { uid: 'news', type: 'Folder' });
  add(site, { uid: 'archive', type: 'Folder' });
  for (const uid of ['a', 'b']) add(site, { uid, in: 'news', description: `about ${uid}` });
  return site;
}

const discussions = (...uids: string[]) => ({
  'export_discussion.json': uids.map((uuid) => ({
    uuid,
    conversation: { items: [{ comment_id: uuid, text: `on ${uuid}`, 'text/plain': true, author_username: 'jo' }] },
  })),
});

describeEachEngine('what a newer export does not have', (engine) => {
  it('Comments stay with content that stays: in a part of the site that the export lacks, or that was changed here.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    site.beside = discussions('a', 'b');
    await importNow(kernel, site);
    const bodies = async () => kernel.db.query({ text: 'select body from comment order by body' });
    const part = smallSite();
    for (const uid of ['news', 'archive', 'b']) part.objects.delete(uid);
    part.beside = discussions('a');
    const summary = await importNow(kernel, part, 'stop', { siteRoot: '/' });
    expect(summary.again?.counts).toMatchObject({ changed: 0, removed: 0, conflicts: 0 });
    expect(await bodies()).toEqual([{ body: 'on a' }, { body: 'on b' }]);
    await updateStored(kernel, '/news/b', { title: 'Ours' });
    remove(site, 'b');
    site.beside = discussions('a');
    await importNow(kernel, site, 'keep');
    expect((await stored(kernel)).has('/news/b')).toBe(true);
    expect(await bodies()).toEqual([{ body: 'on a' }, { body: 'on b' }]);
    remove(site, 'a');
    site.beside = discussions('news');
    await importNow(kernel, site, 'keep');
    expect(await bodies()).toEqual([{ body: 'on b' }, { body: 'on news' }]);
  });

  it('A redirect to content that the export lacks still leads to it, also when that has moved here.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    site.beside = { 'export_redirects.json': { '/old': '/news/b' } };
    await importNow(kernel, site);
    await moveHere(kernel, '/news/b', '/archive', 'b');
    for (const uid of ['news', 'archive', 'b']) site.objects.delete(uid);
    const summary = await importNow(kernel, site, 'stop', { siteRoot: '/' });
    expect(summary.again?.counts).toMatchObject({ changed: 0, conflicts: 0 });
    const [old] = await kernel.db.query({
      text: `select c.path from redirect r join content c on c.oid = r.target where r.path = '/old'`,
    });
    expect(old).toEqual({ path: '/archive/b' });
  });

  it('Relations to content that the export lacks stay, and so do translations.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    site.beside = {
      'export_relations.json': ['b', 'archive'].map((to_uuid) => ({
        ...{ from_uuid: 'a', to_uuid, relationship: 'relatedItems' },
      })),
      'export_translations.json': [{ en: 'a', de: 'b' }],
    };
    await importNow(kernel, site);
    const linked = async () => {
      const { fields, translations } = (await stored(kernel)).get('/news/a') ?? {};
      return { related: fields?.relatedItems, translations };
    };
    const before = await linked();
    expect(before).toEqual({ related: ['b', 'archive'], translations: expect.any(String) });
    for (const uid of ['news', 'b']) site.objects.delete(uid);
    const summary = await importNow(kernel, site, 'stop', { siteRoot: '/' });
    expect(summary.again?.counts).toMatchObject({ changed: 0, removed: 0, conflicts: 0 });
    expect(await linked()).toEqual(before);
  });

  it('Default pages, local roles and comments go with the last entry of their files; without the files they stay.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    site.beside = {
      'export_defaultpages.json': [{ uuid: 'news', default_page: 'a' }],
      'export_localroles.json': [{ uuid: 'a', localroles: { jo: ['Editor'] } }],
      ...discussions('a'),
    };
    await importNow(kernel, site);
    const state = async () => {
      const objects = await stored(kernel);
      const comments = await kernel.db.query({ text: 'select body from comment' });
      return { page: objects.get('/news')?.page, roles: objects.get('/news/a')?.roles, comments: comments.length };
    };
    const before = await state();
    expect(before).toEqual({ page: 'a', roles: { 'user:jo': ['Editor'] }, comments: 1 });
    site.beside = {};
    await importNow(kernel, site, 'stop');
    expect(await state()).toEqual(before);
    site.beside = { 'export_defaultpages.json': [], 'export_localroles.json': [], ...discussions() };
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject({ conflicts: 0 });
    expect(await state()).toEqual({ page: null, roles: { 'user:jo': ['Owner'] }, comments: 0 });
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject({ changed: 0, conflicts: 0 });
  });

  it('The last relation of an object goes when the export has it no more.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    const relations = (...targets: string[]) => ({
      'export_relations.json': targets.map((to_uuid) => ({ from_uuid: 'a', to_uuid, relationship: 'relatedItems' })),
    });
    site.beside = relations('b');
    await importNow(kernel, site);
    expect((await stored(kernel)).get('/news/a')?.fields.relatedItems).toHaveLength(1);
    site.beside = {};
    await importNow(kernel, site, 'stop');
    expect((await stored(kernel)).get('/news/a')?.fields.relatedItems).toHaveLength(1);
    site.beside = relations();
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ changed: 1, conflicts: 0 });
    expect((await stored(kernel)).get('/news/a')?.fields.relatedItems ?? []).toEqual([]);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject({ changed: 0 });
  });

  it('A page that cannot move, for its new folder was removed here, keeps an id of its own beside a new page.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    await removeHere(kernel, '/archive');
    move(site, 'a', { in: 'archive' });
    add(site, { uid: 'new', in: 'news', id: 'a' });
    await importNow(kernel, site, 'keep');
    const objects = [...(await stored(kernel))].map(([path, { uid }]) => `${path} ${uid}`);
    expect(objects.filter((line) => line.includes('moving-'))).toEqual([]);
    expect(objects).toHaveLength(5);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject({ moved: 0, conflicts: 0, changed: 0 });
  });
});
