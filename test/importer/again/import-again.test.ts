import { expect, it } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { childrenOf, freshSite, stored } from '../import-helpers.ts';
import { moveHere, removeHere, updateStored } from './edit-here.ts';
import { add, contentOf, edit, importNow, move, type OldSite, oldSite, remove } from './old-site.ts';

/** A site with two folders and some pages. */
function smallSite(): OldSite {
  const site = oldSite();
  add(site, { uid: 'news', type: 'Folder' });
  add(site, { uid: 'archive', type: 'Folder' });
  for (const uid of ['a', 'b', 'c']) add(site, { uid, in: 'news', description: `about ${uid}` });
  return site;
}

const NOTHING = { added: 0, changed: 0, moved: 0, removed: 0, reordered: 0, conflicts: 0 };

const redirectsOf = (kernel: Parameters<typeof stored>[0]) =>
  kernel.db.query<{ path: string; to: string | null }>({
    text: 'select r.path, coalesce(c.path, r.target_url) as "to" from redirect r left join content c on c.oid = r.target order by r.path',
  });

describeEachEngine('an import of a newer export', (engine) => {
  it('It brings what is new, changed, moved, removed and reordered; the second run changes nothing.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    add(site, { uid: 'd', in: 'archive', title: 'New' });
    edit(site, 'a', { title: 'Changed', review_state: 'private' });
    move(site, 'b', { in: 'archive', id: 'bb' });
    remove(site, 'c');
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ added: 1, changed: 1, moved: 1, removed: 1, conflicts: 0 });
    const objects = await stored(kernel);
    expect([...objects.keys()].sort()).toEqual(['/', '/archive', '/archive/bb', '/archive/d', '/news', '/news/a']);
    expect(objects.get('/news/a')).toMatchObject({ state: 'private', fields: { title: 'Changed' } });
    expect(objects.get('/news/a')?.modified).toEqual(new Date('2024-05-01T00:00:00Z'));
    expect(await redirectsOf(kernel)).toEqual([{ path: '/news/b', to: '/archive/bb' }]);
    const before = await contentOf(kernel);
    const again = await importNow(kernel, site, 'stop');
    expect(again.again?.counts).toEqual({ ...NOTHING, unchanged: 5 });
    expect(await contentOf(kernel)).toBe(before);
  });

  it('What was changed here stays, and both changes of one page are merged.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    await updateStored(kernel, '/news/a', { title: 'Ours' });
    await moveHere(kernel, '/news/b', '/archive', 'b');
    await removeHere(kernel, '/news/c');
    edit(site, 'a', { description: 'theirs' });
    edit(site, 'b', { title: 'B' });
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ changed: 2, conflicts: 0 });
    const objects = await stored(kernel);
    expect(objects.get('/news/a')?.fields).toMatchObject({ title: 'Ours', description: 'theirs' });
    expect(objects.get('/archive/b')?.fields.title).toBe('B');
    expect(objects.has('/news/c')).toBe(false);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('With conflicts nothing is changed unless a rule says which side counts; then it is decided once.', async () => {
    for (const rule of ['keep', 'take'] as const) {
      const { kernel } = await freshSite(engine);
      const site = smallSite();
      await importNow(kernel, site);
      await updateStored(kernel, '/news/a', { title: 'Ours' });
      await updateStored(kernel, '/news/b', { description: 'ours' });
      await removeHere(kernel, '/news/c');
      edit(site, 'a', { title: 'Theirs' });
      remove(site, 'b');
      edit(site, 'c', { title: 'C' });
      const before = await contentOf(kernel);
      const stopped = await importNow(kernel, site, 'stop');
      expect(stopped).toMatchObject({ refused: true, again: { counts: { conflicts: 3 } } });
      expect(stopped.again?.conflicts).toContainEqual(
        expect.objectContaining({ path: '/news/a', part: 'title', here: 'Ours', there: 'Theirs', counts: null }),
      );
      expect(await contentOf(kernel)).toBe(before);
      const done = await importNow(kernel, site, rule);
      expect(done).toMatchObject({ refused: false, again: { counts: { conflicts: 3 } } });
      const objects = await stored(kernel);
      expect(objects.get('/news/a')?.fields.title).toBe(rule === 'keep' ? 'Ours' : 'Theirs');
      expect(objects.has('/news/b')).toBe(rule === 'keep');
      expect(objects.get('/news/c')?.fields.title).toBe(rule === 'keep' ? undefined : 'C');
      const after = await contentOf(kernel);
      expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
      expect(await contentOf(kernel)).toBe(after);
    }
  });

  it('A dry run says what would happen and changes nothing.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    edit(site, 'a', { title: 'Theirs' });
    move(site, 'b', { in: 'archive' });
    const before = await contentOf(kernel);
    const summary = await importNow(kernel, site, 'keep', { dryRun: true });
    expect(summary.again?.changes).toEqual([
      { change: 'moved', path: '/archive/b', from: '/news/b', parts: [] },
      { change: 'changed', path: '/news/a', parts: ['title'] },
    ]);
    expect(await contentOf(kernel)).toBe(before);
  });

  it('Two pages that exchange their ids do so here, and no address of the exchange is left behind.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    move(site, 'a', { id: 'x' });
    move(site, 'b', { id: 'a' });
    move(site, 'a', { id: 'b' });
    await importNow(kernel, site, 'stop');
    const objects = await stored(kernel);
    expect([objects.get('/news/a')?.uid, objects.get('/news/b')?.uid]).toEqual(['b', 'a']);
    expect(await redirectsOf(kernel)).toEqual([]);
  });

  it('A page that moves into a new folder makes room for a new page, and leaves a folder that is removed.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    add(site, { uid: 'new', type: 'Folder', in: 'archive' });
    move(site, 'a', { in: 'new' });
    move(site, 'b', { in: 'new' });
    add(site, { uid: 'other', in: '', id: 'other' });
    remove(site, 'news');
    add(site, { uid: 'news2', id: 'news' });
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ conflicts: 0 });
    const objects = await stored(kernel);
    expect([...objects.keys()].filter((path) => path !== '/').sort()).toEqual([
      ...['/archive', '/archive/new', '/archive/new/a', '/archive/new/b', '/news', '/other'],
    ]);
    expect(objects.get('/news')?.uid).toBe('news2');
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('What is new there gets another id where this site has content with its own.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    await moveHere(kernel, '/news/b', '/archive', 'fresh');
    add(site, { uid: 'fresh', in: 'archive' });
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.problems).toContainEqual(expect.objectContaining({ reason: 'renamed', path: '/archive/fresh' }));
    const objects = await stored(kernel);
    expect(objects.get('/archive/fresh')?.uid).toBe('b');
    expect(objects.get('/archive/fresh-1')?.uid).toBe('fresh');
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('A folder that holds content of this site stays when the old site has removed it.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    await moveHere(kernel, '/archive', '/news', 'archive');
    remove(site, 'news');
    const summary = await importNow(kernel, site, 'keep');
    expect(summary.again?.conflicts).toMatchObject([{ path: '/news', part: 'object', there: 'removed' }]);
    expect([...(await stored(kernel)).keys()].sort()).toEqual(['/', '/news', '/news/archive']);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('Orders are merged: what moved there moves here, and what moved here stays.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    for (const uid of ['d', 'e', 'f']) add(site, { uid, in: 'news' });
    await importNow(kernel, site);
    await kernel.db.query({ text: `update content set position = 3.5 where path = '/news/f'` });
    add(site, { uid: 'new', in: 'news' });
    site.order.set('news', ['b', 'a', 'c', 'd', 'new', 'e', 'f']);
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ added: 1, reordered: 1, conflicts: 0 });
    expect(await childrenOf(kernel, '/news')).toEqual(['b', 'a', 'c', 'f', 'd', 'new', 'e']);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('Local roles, default pages, redirects and comments are brought as well.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    const comment = (text: string, id: string) => ({ comment_id: id, text, 'text/plain': true, author_username: 'jo' });
    const beside = (page: string, roles: string[], target: string, text: string) => ({
      'export_defaultpages.json': [{ uuid: 'news', default_page: page }],
      'export_localroles.json': [{ uuid: 'a', localroles: { jo: ['Owner'], ed: roles } }],
      'export_redirects.json': { '/old': target, '/older': '/news' },
      'export_discussion.json': [{ uuid: 'a', conversation: { items: [comment(text, '1'), comment('second', '2')] } }],
    });
    site.beside = beside('a', ['Editor'], '/news/a', 'first');
    await importNow(kernel, site);
    site.beside = beside('b', ['Reader', 'Editor'], '/news/b', 'corrected');
    site.beside['export_redirects.json'] = { '/old': '/news/b', '/newer': '/archive' };
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts.conflicts).toBe(0);
    const objects = await stored(kernel);
    expect(objects.get('/news')?.page).toBe('b');
    expect(objects.get('/news/a')?.roles).toEqual({ 'user:jo': ['Owner'], 'user:ed': ['Reader', 'Editor'] });
    expect(await redirectsOf(kernel)).toEqual([
      { path: '/newer', to: '/archive' },
      { path: '/old', to: '/news/b' },
    ]);
    const comments = await kernel.db.query({ text: 'select body from comment order by id' });
    expect(comments).toEqual([{ body: 'corrected' }, { body: 'second' }]);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('Users, groups and members are merged; a change here stays.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    const people = (fullname: string, roles: string[], members: string[]) => ({
      'export_members.json': {
        groups: [{ groupid: 'team', title: 'Team', roles: [], principals: members }],
        members: [
          { username: 'ed', fullname, email: 'ed@example.org', roles, password: '' },
          { username: 'jo', fullname: 'Jo', email: 'jo@example.org', roles: ['Member'], password: '' },
        ],
      },
    });
    site.beside = people('Ed', ['Member'], ['ed']);
    await importNow(kernel, site);
    await kernel.db.query({ text: `update account set email = 'new@example.org' where id = 'ed'` });
    site.beside = people('Eduard', ['Member', 'Editor'], ['jo']);
    const summary = await importNow(kernel, site, 'stop');
    expect(summary.again?.counts).toMatchObject({ changed: 2, conflicts: 0 });
    const accounts = await kernel.db.query({ text: `select fullname, email, roles from account where id = 'ed'` });
    expect(accounts).toEqual([{ fullname: 'Eduard', email: 'new@example.org', roles: ['Editor', 'Member'] }]);
    const members = await kernel.db.query({ text: `select member_id as id from group_member where group_id = 'team'` });
    expect(members).toEqual([{ id: 'jo' }]);
    expect((await importNow(kernel, site, 'stop')).again?.counts).toMatchObject(NOTHING);
  });

  it('An export of another site is refused, and one of a part removes nothing of the rest.', async () => {
    const { kernel } = await freshSite(engine);
    const site = smallSite();
    await importNow(kernel, site);
    const other = oldSite();
    add(other, { uid: 'elsewhere' });
    await expect(importNow(kernel, other, 'keep')).rejects.toThrow('Import it without --again.');
    const part = smallSite();
    part.objects.delete('news');
    part.objects.delete('archive');
    part.objects.delete('c');
    const summary = await importNow(kernel, part, 'stop', { siteRoot: '/' });
    expect(summary.again?.counts).toMatchObject({ ...NOTHING, unchanged: 2 });
  });
});
