import { createHash } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { describeEachEngine } from '../../support/database.ts';
import { startTestSite, type TestSite } from '../../support/site.ts';
import { add, importNow, type OldSite, oldSite } from './old-site.ts';

/** A password as Plone keeps it. */
function hashed(password: string): string {
  const salt = Buffer.from('salt');
  const digest = createHash('sha1').update(password).update(salt).digest();
  return `{SSHA}${Buffer.concat([digest, salt]).toString('base64')}`;
}

const member = (username: string, roles: string[], more: Record<string, unknown> = {}) => ({
  ...{ username, fullname: username, email: `${username}@example.org`, roles, password: hashed(`secret-${username}`) },
  ...more,
});

const as = (login: string) => ({ login, password: `secret-${login}` });

function smallSite(): OldSite {
  const old = oldSite();
  add(old, { uid: 'news', type: 'Folder' });
  for (const uid of ['a', 'b']) add(old, { uid, in: 'news', review_state: 'private' });
  return old;
}

describeEachEngine('people, rights and old addresses after a second import', (engine) => {
  let site: TestSite;

  const status = async (path: string, name: string) => (await site.request('GET', path, { as: as(name) })).status;

  beforeEach(async () => {
    site = await startTestSite(engine, { profile: 'plone' });
    onTestFinished(() => site.close());
  });

  it('A new user logs in, a new role counts, and a role that the export took away is gone.', async () => {
    const old = smallSite();
    const people = (...members: object[]) => ({
      'export_members.json': {
        groups: [{ groupid: 'team', title: 'Team', roles: [], principals: ['ed'] }],
        members,
      },
    });
    old.beside = people(member('ed', ['Member']), member('jo', ['Member', 'Manager']));
    await importNow(site.kernel, old);
    expect([await status('/@users', 'ed'), await status('/@users', 'jo')]).toEqual([403, 200]);
    old.beside = people(member('ed', ['Member', 'Manager']), member('jo', ['Member']), member('new', ['Member']));
    const summary = await importNow(site.kernel, old, 'stop');
    expect(summary.again?.counts.conflicts).toBe(0);
    expect([await status('/@users', 'ed'), await status('/@users', 'jo')]).toEqual([200, 403]);
    const login = { login: 'new', password: 'secret-new' };
    expect((await site.request('POST', '/@login', { json: login, as: 'anonymous' })).status).toBe(200);
    expect((await importNow(site.kernel, old, 'stop')).again?.counts).toMatchObject({ changed: 0, conflicts: 0 });
  });

  it('Local roles that the export gave may view, and those that it took away may not.', async () => {
    const old = smallSite();
    const beside = (roles: Record<string, Record<string, string[]>>) => ({
      'export_members.json': { groups: [], members: [member('ed', ['Member']), member('al', ['Member'])] },
      'export_localroles.json': Object.entries(roles).map(([uuid, localroles]) => ({ uuid, localroles })),
    });
    old.beside = beside({ a: { ed: ['Reader'] }, b: { admin: ['Owner'] } });
    await importNow(site.kernel, old);
    expect([await status('/news/a', 'ed'), await status('/news/b', 'al')]).toEqual([200, 403]);
    old.beside = beside({ a: { admin: ['Owner'] }, b: { al: ['Reader'] } });
    await importNow(site.kernel, old, 'stop');
    expect([await status('/news/a', 'ed'), await status('/news/b', 'al')]).toEqual([403, 200]);
    const found = await site.request('GET', '/@search?path=/news&path.depth=1', { as: as('al') });
    expect(found.body.items.map(({ '@id': id }: { '@id': string }) => new URL(id).pathname)).toEqual(['/news/b']);
  });

  it('Old addresses lead where the newer export says; removed ones lead nowhere.', async () => {
    const old = smallSite();
    old.beside = { 'export_redirects.json': { '/old': '/news', '/gone': '/news' } };
    await importNow(site.kernel, old);
    const lead = async (path: string) => {
      const { status: code, headers } = await site.request('GET', path);
      return [code, headers.get('location')?.replace(site.url, '')];
    };
    expect(await lead('/gone')).toEqual([302, '/news']);
    old.beside = { 'export_redirects.json': { '/old': '/news/a', '/newer': '/news/b' } };
    await importNow(site.kernel, old, 'stop');
    expect(await lead('/old')).toEqual([302, '/news/a']);
    expect(await lead('/newer')).toEqual([302, '/news/b']);
    expect((await lead('/gone'))[0]).toBe(404);
  });
});
