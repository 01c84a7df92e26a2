import { beforeAll, describe, expect, it } from 'vitest';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { changeSettings } from '../people/people-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { testedProfile } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

/** The field for a picture that news have in the profile of this run. */
const PICTURE = testedProfile() === 'plone' ? 'image' : 'preview_image';

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describeEachEngine('preview links', (engine) => {
  const site = useTestSite(engine);
  let editor: Who;
  let made = 0;
  const share = async (path: string, json: Json = {}, as: Who = editor) =>
    (await site.request('POST', `${path}/@preview-links`, { as, json })).body;
  const get = (path: string, token?: string, { as = 'anonymous' as Who, method = 'GET', headers = {} } = {}) =>
    site.request(
      method,
      token === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}preview_token=${token}`,
      {
        as,
        headers,
      },
    );
  const status = async (...request: Parameters<typeof get>) => (await get(...request)).status;
  const draft = async (container = '/', json: Json = {}) =>
    make(site.kernel, container, { id: `draft${++made}`, title: `Draft${made}`, ...json });

  beforeAll(async () => {
    editor = await addPerson(site, { id: 'ed', roles: ['Member', 'Editor'] });
  });

  it('show a draft without a login, by the parameter or the header, and nobody keeps the answer', async () => {
    const path = await draft();
    const { token, url, ...link } = await share(path, { title: 'For the printer' });
    expect(token).toMatch(/^preview_[\w-]{43}$/);
    expect(url).toBe(`${site.url}${path}?preview_token=${token}`);
    expect(link).toMatchObject({ title: 'For the printer', subtree: false, creator: 'ed', last_used: null });
    expect(await status(path)).toBe(401);
    const shown = await get(path, token);
    expect([shown.status, shown.body.title]).toEqual([200, `Draft${made}`]);
    expect(shown.headers.get('cache-control')).toBe('private, no-store');
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await status(path, token, { method: 'HEAD' })).toBe(200);
    expect((await site.request('GET', path, { as: { token } })).status).toBe(200);
    expect(await status(path)).toBe(401);
    const { body, text } = await site.request('GET', `${path}/@preview-links`, { as: editor });
    expect(body.items).toMatchObject([{ id: link.id, last_used: expect.any(String) }]);
    expect(text).not.toContain(token);
    const one = await site.request('GET', link['@id'], { as: editor });
    expect([one.status, one.body]).toEqual([200, body.items[0]]);
    expect((await site.request('GET', `${path}/@preview-links/none`, { as: editor })).status).toBe(404);
    expect((await site.request('GET', link['@id'], { as: { token } })).status).toBe(401);
    const rows = await site.kernel.db.query({ text: 'select * from preview_link' });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('show pictures and files of the content', async () => {
    const path = await draft('/', {
      '@type': 'News Item',
      [PICTURE]: { data: DOT, encoding: 'base64', filename: 'dot.png', 'content-type': 'image/png' },
    });
    const { token } = await share(path);
    const { body } = await get(path, token);
    const address = body[PICTURE].download.slice(site.url.length);
    expect(await status(address)).toBe(401);
    const picture = await get(address, token);
    expect([picture.status, picture.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(await status(`${path}/@@download/${PICTURE}`, token)).toBe(200);
  });

  it('give no right but to view: they write nothing, edit nothing and search nothing', async () => {
    const path = await draft();
    const { token } = await share(path);
    for (const [method, end] of [
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/@workflow/publish'],
      ['POST', '/@preview-links'],
      ['POST', '/@lock'],
      ['GET', '/@preview-links'],
      ['GET', '/@search'],
      ['GET', '/@history'],
      ['GET', '/@workflow'],
      ['GET', '/@sharing'],
      ['GET', '/@export'],
    ]) {
      for (const as of ['anonymous', { token }] as Who[])
        expect(await status(path + end, token, { method: method ?? '', as }), `${method} ${end}`).toBe(401);
    }
    const found = await get(`/@search?Title=Draft${made}`, token);
    expect(found.body.items_total).toBe(0);
    const { body } = await get(`${path}?expand=actions`, token);
    expect(body['@components'].actions.object.map(({ id }: Json) => id)).toEqual(['view']);
    expect(body.lock).toEqual({ locked: false, stealable: true });
  });

  describe('of a folder', () => {
    it('show it alone, or with the drafts below it, and nothing beside it', async () => {
      const folder = await draft('/', { '@type': 'Folder' });
      const inside = await draft(folder);
      const deep = await draft(await draft(folder, { '@type': 'Folder' }));
      const beside = await draft();
      const alone = await share(folder);
      const whole = await share(folder, { subtree: true });
      expect((await get(folder, alone.token)).body.items_total).toBe(0);
      expect([await status(inside, alone.token), await status(`${folder}/@@images/x`, alone.token)]).toEqual([
        401, 404,
      ]);
      const { body } = await get(folder, whole.token);
      expect(body.items_total).toBe(2);
      expect([await status(inside, whole.token), await status(deep, whole.token)]).toEqual([200, 200]);
      expect([await status(beside, whole.token), await status('/', whole.token)]).toEqual([401, await status('/')]);
      const query = encodeURIComponent(
        JSON.stringify({ query: [{ i: 'path', o: 'plone.app.querystring.operation.string.absolutePath', v: folder }] }),
      );
      expect((await get(`${folder}/@querystring-search?query=${query}`, whole.token)).body.items_total).toBeGreaterThan(
        1,
      );
      expect((await get(`${folder}/@querystring-search?query=${query}`, alone.token)).body.items_total).toBe(0);
    });

    it('show no more than their creator may view', async () => {
      const folder = await draft('/', { '@type': 'Folder' });
      const secret = await draft(folder);
      await site.kernel.db.query({
        text: `update content set local_permissions = '{"View": {"roles": ["Manager"], "acquire": false}}' where path = $1`,
        values: [secret],
      });
      await site.request('POST', `${secret}/@sharing`, { json: { inherit: true, entries: [] } });
      const { token } = await share(folder, { subtree: true });
      expect(await status(folder, token)).toBe(200);
      expect(await status(secret, token)).toBe(401);
    });
  });

  it('show content before its date on sites where dates act', async () => {
    await changeSettings(site, 'publishing', { hide_inactive_content: true });
    const folder = await draft('/', { '@type': 'Folder' });
    const path = await draft(folder, { effective: '2090-01-01T00:00:00Z' });
    await site.request('POST', `${path}/@workflow/publish`, { json: {} });
    const { token } = await share(folder, { subtree: true });
    expect([await status(path), await status(path, token)]).toEqual([401, 200]);
    expect((await get(folder, token)).body.items_total).toBe(1);
    await changeSettings(site, 'publishing', { hide_inactive_content: false });
  });

  describe('end', () => {
    it('when they are revoked or have expired', async () => {
      const path = await draft();
      const [one, two, three] = [await share(path), await share(path), await share(path)];
      expect(await status(path, one.token)).toBe(200);
      expect((await site.request('DELETE', one['@id'], { as: editor })).status).toBe(204);
      expect([await status(path, one.token), await status(path, two.token)]).toEqual([401, 200]);
      expect((await site.request('DELETE', one['@id'], { as: editor })).status).toBe(404);
      await site.kernel.db.query({
        text: `update preview_link set expires = now() - interval '1 second' where id = $1`,
        values: [three.id],
      });
      expect(await status(path, three.token)).toBe(401);
      expect((await site.request('GET', `${path}/@preview-links`, { as: editor })).body.items_total).toBe(1);
    });

    it('when their creator may no longer view the content, is disabled or gone', async () => {
      const ends = async (id: string, end: () => Promise<{ status: number; text: string }>) => {
        const who = await addPerson(site, { id, roles: ['Member', 'Editor'] });
        const path = await draft();
        const { token } = await share(path, {}, who);
        expect(await status(path, token)).toBe(200);
        const ended = await end();
        expect(ended.status, ended.text).toBe(204);
        expect(await status(path, token)).toBe(401);
      };
      await ends('one', () =>
        site.request('PATCH', '/@users/one', { json: { roles: { Editor: false, Member: true } } }),
      );
      await ends('two', () => site.request('PATCH', '/@users/two', { json: { disabled: true } }));
      await ends('three', () => site.request('DELETE', '/@users/three'));
    });

    it('nowhere when the content is moved: they go along', async () => {
      const path = await draft();
      const folder = await draft('/', { '@type': 'Folder' });
      const { token } = await share(path);
      await site.request('POST', `${folder}/@move`, { json: { source: path } });
      expect(await status(`${folder}${path}`, token)).toBe(200);
      expect(await status(path, token)).toBe(404);
    });
  });

  it('are made by those who may change the content, who are there in person, for ninety days at most', async () => {
    const path = await make(site.kernel, '/', { id: 'public' }, { state: 'published' });
    const member = await addPerson(site, { id: 'member' });
    const post = async (as: Who, json: Json = {}) =>
      (await site.request('POST', `${path}/@preview-links`, { as, json })).status;
    expect([await post('anonymous'), await post(member), await post(editor)]).toEqual([401, 403, 201]);
    const { body } = await site.request('POST', '/@access-tokens', { as: editor, json: { name: 'A program' } });
    expect(await post({ token: body.token })).toBe(403);
    for (const expires of ['2001-01-01', '2090-01-01', 'soon']) expect(await post(editor, { expires })).toBe(400);
    for (const wrong of ['preview_', `preview_${'a'.repeat(43)}`, 'x', '']) {
      expect(await status(path, wrong)).toBe(200);
      expect(await status(await draft(), wrong)).toBe(401);
    }
  });
});
