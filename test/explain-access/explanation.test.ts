import { beforeAll, describe, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

describeEachEngine('@explain-access', (engine) => {
  const site = useTestSite(engine);
  const who: Record<string, Who> = {};
  const ask = (path: string, query: Record<string, string> = {}, as: Who = 'admin') =>
    site.request('GET', `${path}/@explain-access?${new URLSearchParams(query)}`, { as });
  const share = (path: string, json: Json) => site.request('POST', `${path}/@sharing`, { json });
  const entry = (type: string, id: string, ...roles: string[]) => ({
    type,
    id,
    roles: Object.fromEntries(roles.map((role) => [role, true])),
  });

  beforeAll(async () => {
    who.ann = await addPerson(site, { id: 'ann', groups: ['staff'] });
    who.eve = await addPerson(site, { id: 'eve', roles: ['Member', 'Editor'] });
    who.joe = await addPerson(site, { id: 'joe' });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await make(site.kernel, '/news', { '@type': 'Folder', id: 'inner', title: 'Inner' }, { state: 'published' });
    await make(site.kernel, '/news/inner', { '@type': PAGE, id: 'page', title: 'Page' });
    await share('/news', { entries: [entry('group', 'staff', 'Editor')] });
    await share('/news/inner/page', { entries: [entry('user', 'joe', 'Reader')] });
  });

  it('names the role, the group, the place where it was given, and the state that asks for it', async () => {
    const { status, body } = await ask('/news/inner/page', { user: 'ann', permission: 'Modify portal content' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      user: { id: 'ann', enabled: true },
      permission: 'Modify portal content',
      method: 'PATCH',
      allowed: true,
      decided_by: 'roles',
      message: 'The role "Editor" has the permission here.',
      credentials: null,
      api: true,
      inheritance: { blocked: false, at: null, withheld: [] },
      dates: { act: false, hides: false, passes: true },
    });
    expect(body.roles.find(({ id }: Json) => id === 'Editor')).toEqual({
      id: 'Editor',
      title: 'Editor',
      grants: true,
      sources: [
        {
          from: 'sharing',
          principal: { type: 'group', id: 'staff', title: 'staff' },
          at: { '@id': `${site.url}/news`, title: 'News' },
        },
      ],
    });
    expect(body.settings).toEqual([
      {
        from: 'workflow',
        at: { '@id': `${site.url}/news/inner/page`, title: 'Page' },
        state: { id: 'private', title: 'Private' },
        roles: expect.arrayContaining(['Editor', 'Owner', 'Manager']),
        acquire: false,
      },
    ]);
  });

  it('says which roles the block of the inheritance withholds, and that to remove it gives the right', async () => {
    await share('/news/inner', { inherit: false });
    const { body } = await ask('/news/inner/page', { user: 'ann', permission: 'Modify portal content' });
    expect(body).toMatchObject({ allowed: false, message: 'No role of the user has the permission here.' });
    expect(body.inheritance).toEqual({
      blocked: true,
      at: { '@id': `${site.url}/news/inner`, title: 'Inner' },
      withheld: [
        {
          role: 'Editor',
          principal: { type: 'group', id: 'staff', title: 'staff' },
          at: { '@id': `${site.url}/news`, title: 'News' },
        },
      ],
    });
    expect(body.changes).toContainEqual({
      change: 'inherit',
      message: 'Let roles that are given above /news/inner count there.',
      possible: true,
      request: { method: 'POST', '@id': `${site.url}/news/inner/@sharing`, body: { inherit: true } },
    });
    await share('/news/inner', { inherit: true });
  });

  it('says who passes content that its dates hide', async () => {
    await changeSettings(site, 'publishing', { hide_inactive_content: true });
    await site.request('PATCH', '/news/inner/page', { json: { effective: '2090-01-01T00:00:00Z' } });
    const joe = await ask('/news/inner/page', { user: 'joe' });
    expect(joe.body).toMatchObject({
      allowed: false,
      decided_by: 'dates',
      dates: { act: true, hides: true, passes: false },
    });
    const removal = joe.body.changes.find(({ change }: Json) => change === 'dates');
    expect(removal.request).toEqual({
      method: 'PATCH',
      '@id': `${site.url}/news/inner/page`,
      body: { effective: null },
    });
    const ann = await ask('/news/inner/page', { user: 'ann' });
    expect(ann.body).toMatchObject({ allowed: true, decided_by: 'roles', dates: { hides: true, passes: true } });
    await site.request('PATCH', '/news/inner/page', { json: { effective: null } });
    await changeSettings(site, 'publishing', { hide_inactive_content: false });
  });

  it('explains visitors and users who are disabled', async () => {
    await addPerson(site, { id: 'gone', roles: ['Member', 'Editor'] });
    await site.request('PATCH', '/@users/gone', { json: { enabled: false } });
    const visitor = await ask('/news/inner', { user: 'Anonymous' });
    expect(visitor.body).toMatchObject({ user: { id: null, title: 'Anonymous', enabled: true }, allowed: true });
    const { body } = await ask('/news/inner/page', { user: 'gone' });
    expect(body).toMatchObject({
      user: { id: 'gone', enabled: false },
      allowed: false,
      message: 'The user is disabled and has the rights of visitors, who lack the permission here.',
    });
    expect(body.changes.map(({ change }: Json) => change)).toContain('enable');
  });

  describe('the limits of access tokens', () => {
    const tokenOf = async (json: Json) =>
      (await site.request('POST', '/@access-tokens', { as: who.eve ?? 'admin', json: { name: 'A token', ...json } }))
        .body;
    const MODIFY = { permission: 'Modify portal content' };

    it('decide before roles do, for the token of the request and for another one of the user', async () => {
      const { id, token } = await tokenOf({ methods: ['GET'] });
      for (const { body } of [
        await ask('/news/inner/page', MODIFY, { token }),
        await ask('/news/inner/page', { ...MODIFY, token: id }, who.eve),
      ]) {
        expect(body).toMatchObject({ allowed: false, decided_by: 'credentials' });
        expect(body.credentials).toMatchObject({ methods: ['GET'], subtrees: null, passes: false });
        expect(body.message).toBe('The token is not good for PATCH: only for GET.');
        expect(body.changes.map(({ change }: Json) => change)).toEqual(['credentials']);
      }
      const changed = await site.request('PATCH', '/news/inner/page', { as: { token }, json: { title: 'Page' } });
      expect([changed.status, changed.body.message]).toEqual([403, 'The token is not good for PATCH: only for GET.']);
      expect((await ask('/news/inner/page', {}, { token })).body).toMatchObject({ allowed: true });
      expect((await ask('/news/inner/page', MODIFY, who.eve)).body).toMatchObject({ allowed: true, credentials: null });
    });

    it('name the subtrees that the content is in, and no others', async () => {
      const { id } = await tokenOf({ subtrees: ['/news/inner'] });
      const inside = await ask('/news/inner/page', { token: id }, who.eve);
      expect(inside.body).toMatchObject({ allowed: true, credentials: { subtrees: ['/news/inner'], passes: true } });
      const outside = await ask('/news', { token: id }, who.eve);
      expect(outside.body).toMatchObject({ allowed: false, credentials: { subtrees: [], passes: false } });
    });

    it('count until the token expires', async () => {
      const { id } = await tokenOf({ expires: new Date(Date.now() + 60_000).toISOString() });
      expect((await ask('/news', { token: id }, who.eve)).body.allowed).toBe(true);
      await site.kernel.db.query({ text: 'update access_token set expires = now() where id = $1', values: [id] });
      const { body } = await ask('/news', { token: id }, who.eve);
      expect(body).toMatchObject({ allowed: false, decided_by: 'credentials', message: 'The token has expired.' });
    });

    it('are those of the caller alone', async () => {
      const { id } = await tokenOf({});
      expect((await ask('/news', { token: id })).status).toBe(400);
      expect((await ask('/news', { token: id, user: 'eve' })).status).toBe(400);
    });
  });

  describe('permissions for an explanation', () => {
    it('everybody about themselves where they may view, and about others who may share', async () => {
      const statuses = async (as: Who) =>
        Promise.all(
          [{}, { user: 'ann' }, { user: 'Anonymous' }].map(
            async (query) => (await ask('/news/inner/page', query, as)).status,
          ),
        );
      expect(await statuses('anonymous')).toEqual([401, 401, 401]);
      expect(await statuses(who.joe ?? 'admin')).toEqual([200, 403, 403]);
      expect(await statuses(who.eve ?? 'admin')).toEqual([200, 200, 200]);
      expect((await ask('/news/inner', {}, 'anonymous')).status).toBe(200);
      expect((await ask('/news/inner', { user: 'ann' }, 'anonymous')).status).toBe(401);
      // The response does not say whether the user exists.
      const [known, unknown] = [
        await ask('/news/inner', { user: 'ann' }, who.joe),
        await ask('/news/inner', { user: 'nn' }, who.joe),
      ];
      expect([known.status, known.body.message]).toEqual([403, unknown.body.message]);
    });

    it('a place that the caller may not view has no name, state or change', async () => {
      const { body, text } = await ask('/news/inner/page', { permission: 'Modify portal content' }, who.joe);
      expect(body.allowed).toBe(false);
      expect(text).not.toContain('"News"');
      expect(body.changes.map(({ request }: Json) => request['@id'])).not.toContain(`${site.url}/news/@sharing`);
      expect(body.changes.every(({ possible }: Json) => possible === false)).toBe(true);
    });

    it('groups of others are for those who manage users', async () => {
      const { body, text } = await ask('/news/inner/page', { user: 'ann' }, who.eve);
      expect(body.allowed).toBe(true);
      expect(text).not.toContain('staff');
      const own = await ask('/news/inner/page', {}, who.ann);
      expect(own.text).toContain('staff');
    });
  });

  it('an unknown user or permission is 400 with a sentence', async () => {
    expect(await ask('/news', { user: 'nobody' })).toMatchObject({
      status: 400,
      body: { message: 'There is no user "nobody".' },
    });
    for (const permission of ['Fly', 'constructor', '__proto__'])
      expect(await ask('/news', { permission })).toMatchObject({
        status: 400,
        body: { message: `There is no permission "${permission}".` },
      });
    expect((await ask('/news', { user: 'a\0b' })).status).toBe(400);
    expect((await ask('/news', { method: 'BREW' })).status).toBe(400);
  });

  it('is in the language of the reader', async () => {
    await changeSettings(site, 'language', { available_languages: ['en', 'nl'] });
    const { body } = await site.request('GET', '/news/inner/page/@explain-access?user=ann', {
      headers: { 'Accept-Language': 'nl' },
    });
    expect(body.message).toBe('De rol "Editor" heeft hier de machtiging.');
  });
});
