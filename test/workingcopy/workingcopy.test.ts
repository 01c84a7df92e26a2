import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MoveSite, startMoveSite } from '../copymove/move-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE, workingCopyIds } from '../support/profiles.ts';
import type { Exchange, Json, Who } from '../support/site.ts';

const [COPY] = workingCopyIds('original');

describeEachEngine('working copies', (engine) => {
  let site: MoveSite;
  beforeAll(async () => {
    site = await startMoveSite(engine);
  });
  afterAll(() => site?.close());

  const working = (method: string, path: string, as: Who = 'admin', headers: Record<string, string> = {}) =>
    site.request(method, `${path}/@workingcopy`, { as, headers });
  const patch = (path: string, json: Json, as: Who = 'admin', headers: Record<string, string> = {}) =>
    site.request('PATCH', path, { json, as, headers });
  const page = (container: string, id: string, fields: Json = {}) =>
    site.add(container, id, { '@type': PAGE, ...fields });
  const checkOut = async (path: string, as: Who = 'admin'): Promise<string> => {
    const { status, text, body } = await working('POST', path, as);
    expect([status, text]).toEqual([201, text]);
    return String(body['@id']).slice(site.url.length);
  };
  const history = async (path: string): Promise<Json[]> => (await site.request('GET', `${path}/@history`)).body;
  const versions = async (path: string) => (await history(path)).filter(({ type }) => type === 'versioning');
  const lockOf = async (path: string): Promise<Json> => (await site.read(path)).lock;
  const isFree = async (path: string) => {
    expect(await site.read(path)).toMatchObject({ lock: { locked: false }, working_copy: null, working_copy_of: null });
    expect((await patch(path, { description: 'Free again' })).status).toBe(204);
  };

  describe('checking out', () => {
    it('check-out makes a private copy beside the original, owned by the caller, with all values and without children', async () => {
      const folder = await site.add('/', 'out');
      await site.publish(folder);
      const original = await site.add(folder, 'original', { description: 'Text', subjects: ['red'] });
      await page(original, 'child');
      await site.publish(original);
      await patch(original, { effective: '2020-01-01T00:00:00+00:00', expires: '2040-01-01T00:00:00+00:00' });
      const carla = await site.person('out-carla', ['Member']);
      await site.share(folder, 'out-carla', 'Editor', 'Contributor', 'Reader');
      const { status, body, headers } = await working('POST', original, carla);
      expect([status, body]).toEqual([201, { '@id': `${site.url}${folder}/${COPY}`, title: 'original' }]);
      expect(headers.get('location')).toBe(site.url + original);
      const [before, copy] = [await site.read(original), await site.read(`${folder}/${COPY}`)];
      expect(copy).toMatchObject({
        description: 'Text',
        subjects: ['red'],
        effective: before.effective,
        expires: before.expires,
        owner: 'out-carla',
        review_state: 'private',
        items: [],
        lock: { locked: false },
      });
      expect(copy.UID).not.toBe(before.UID);
      expect(before.effective).not.toBeNull();
      // Searches find it for users who may view it only.
      const found = async (as: Who) =>
        (await site.request('GET', `${folder}/@search?portal_type=Folder&path.depth=1`, { as })).body.items.map(
          (item: Json) => item['@id'],
        );
      expect(await found(carla)).toContain(copy['@id']);
      expect(await found('anonymous')).not.toContain(copy['@id']);
    });

    it('check-out locks the original for everybody, with or without a lock token', async () => {
      const folder = await site.add('/', 'locked');
      const path = await page(folder, 'page');
      const bert = await site.person('locked-bert', ['Member']);
      await site.share(folder, 'locked-bert', 'Editor', 'Contributor', 'Reader');
      await checkOut(path);
      const lock = await lockOf(path);
      expect(lock).toMatchObject({
        locked: true,
        stealable: false,
        name: 'iterate.lock',
        timeout: 4_294_967_280,
        creator: 'admin',
      });
      for (const as of ['admin', bert] as Who[]) {
        const headers = { 'Lock-Token': lock.token };
        expect((await patch(path, { title: 'Behind' }, as, headers)).status).toBe(403);
        expect((await patch(path, { id: 'renamed' }, as, headers)).status).toBe(403);
        expect((await site.request('DELETE', path, { as, headers })).status).toBe(403);
        expect((await site.request('POST', '/@move', { as: 'admin', headers, json: { source: path } })).status).toBe(
          403,
        );
        await site.request('PATCH', `${path}/@lock`, { as });
        await site.request('POST', `${path}/@lock`, { as, json: { timeout: 1 } });
        const stolen = await site.request('DELETE', `${path}/@lock`, { as, json: { force: true } });
        // The token is shown to the owner of the lock only.
        const { token, ...shown } = lock;
        expect(token).toBeTypeOf('string');
        expect(stolen.body).toMatchObject(shown);
      }
      expect(await lockOf(path)).toEqual(lock);
      await working('DELETE', path);
      // The rejected requests above changed nothing.
      await isFree(path);
    });

    it('content that is checked out, a working copy and the site root cannot be checked out', async () => {
      const path = await page('/', 'twice');
      const copy = await checkOut(path);
      for (const at of [path, copy, '']) expect((await working('POST', at)).status).toBe(403);
      expect((await site.request('GET', `/${workingCopyIds('twice')[1]}`)).status).toBe(404);
    });

    it('check-out is rejected for content that another user has locked, and replaces the caller’s own lock', async () => {
      const folder = await site.add('/', 'busy');
      const path = await page(folder, 'page');
      const bert = await site.person('busy-bert', ['Member']);
      await site.share(folder, 'busy-bert', 'Editor', 'Contributor', 'Reader');
      const { token } = (await site.request('POST', `${path}/@lock`, { json: {} })).body;
      expect((await working('POST', path, bert)).status).toBe(403);
      expect((await working('POST', path, bert, { 'Lock-Token': token })).status).toBe(201);
      expect((await working('DELETE', path)).status).toBe(204);
      await site.request('POST', `${path}/@lock`, { json: {} });
      await checkOut(path);
      expect((await lockOf(path)).name).toBe('iterate.lock');
      expect((await working('DELETE', path)).status).toBe(204);
      await isFree(path);
    });

    it('check-out needs its permission and the permission to add in the container', async () => {
      const folder = await site.add('/', 'rights');
      const path = await page(folder, 'page');
      await site.publish(folder);
      await site.publish(path);
      const dora = await site.person('rights-dora', ['Member']);
      const statuses = async () => [
        (await working('POST', path, 'anonymous')).status,
        (await working('POST', path, dora)).status,
      ];
      expect(await statuses()).toEqual([401, 403]);
      await site.share(path, 'rights-dora', 'Editor');
      expect(await statuses()).toEqual([401, 403]);
      await site.share(folder, 'rights-dora', 'Contributor');
      expect(await statuses()).toEqual([401, 201]);
    });

    it('of concurrent check-outs one succeeds', async () => {
      const path = await page('/', 'crowd');
      const responses = await Promise.all(Array.from({ length: 6 }, () => working('POST', path)));
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403, 403]);
      expect((await site.childIds('')).filter((id) => /_of_crowd$/.test(id))).toHaveLength(1);
    });
  });

  describe('both sides', () => {
    it('both sides of a check-out name each other to callers who may modify or check out', async () => {
      const path = await page('/', 'named', { title: 'Title' });
      await site.publish(path);
      const copy = await checkOut(path);
      const working_copy = {
        '@id': site.url + copy,
        title: 'Title',
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        creator_name: 'Administrator',
        creator_url: `${site.url}/author/admin`,
      };
      const of = { '@id': site.url + path, title: 'Title' };
      for (const [at, working_copy_of] of [
        [path, null],
        [copy, of],
      ] as const) {
        expect((await working('GET', at)).body).toEqual({ working_copy, working_copy_of });
        expect(await site.read(at)).toMatchObject({ working_copy, working_copy_of });
      }
      const nothing = { working_copy: null, working_copy_of: null };
      expect((await working('GET', path, 'anonymous')).body).toEqual(nothing);
      expect((await site.request('GET', path, { as: 'anonymous' })).body).toMatchObject(nothing);
    });

    it('the actions of both sides offer what is possible with them', async () => {
      const ids = async (path: string) =>
        ((await site.request('GET', `${path}/@actions`)).body.object_buttons as Json[])
          .map(({ id }) => id)
          .filter((id) => id.startsWith('iterate'));
      const path = await page('/', 'offers');
      expect(await ids(path)).toEqual(['iterate_checkout']);
      const copy = await checkOut(path);
      expect(await ids(path)).toEqual([]);
      expect(await ids(copy)).toEqual(['iterate_checkin', 'iterate_checkout_cancel']);
      expect(await ids('')).toEqual([]);
    });

    it('copies of both sides of a check-out are ordinary content', async () => {
      const path = await page('/', 'copied');
      const copy = await checkOut(path);
      for (const source of [path, copy]) {
        const { body } = await site.copy('/', source);
        await isFree(body[0].target.slice(site.url.length));
      }
    });
  });

  describe('checking in', () => {
    it('check-in changes the values of the original and nothing else, with one version', async () => {
      const folder = await site.add('/', 'in');
      await page(folder, 'first');
      const path = await site.add(folder, 'original', { title: 'Before', description: 'Old', subjects: ['red'] });
      await page(folder, 'last');
      const child = await page(path, 'child');
      await site.publish(path);
      await site.person('in-emil');
      await site.share(path, 'in-emil', 'Reviewer');
      const before = await site.read(path);
      const copy = await checkOut(path);
      await patch(copy, { title: 'After', subjects: ['blue'], layout: 'summary_view', relatedItems: [before.UID] });
      await patch(copy, { relatedItems: [(await site.read(child)).UID] });
      const order = await site.childIds(folder);
      const old = await versions(path);
      expect((await working('PATCH', copy)).status).toBe(204);
      const after = await site.read(path);
      expect(after).toMatchObject({
        UID: before.UID,
        id: 'original',
        owner: before.owner,
        created: before.created,
        effective: before.effective,
        title: 'After',
        description: 'Old',
        subjects: ['blue'],
        layout: 'summary_view',
        review_state: 'published',
        lock: { locked: false },
        working_copy: null,
      });
      expect(after.relatedItems.map((item: Json) => item['@id'])).toEqual([site.url + child]);
      expect(Date.parse(after.modified)).toBeGreaterThan(Date.parse(before.modified));
      expect(await site.childIds(folder)).toEqual(order.filter((id) => id !== COPY));
      expect(await site.childIds(path)).toEqual(['child']);
      expect((await site.request('GET', copy)).status).toBe(404);
      const sharing = (await site.request('GET', `${path}/@sharing`)).body.entries;
      expect(sharing.find((entry: Json) => entry.id === 'in-emil').roles.Reviewer).toBe(true);
      // There is one more version, by the user who checked in, and the catalog has the new values.
      const [newest, ...rest] = await versions(path);
      expect(rest).toHaveLength(old.length);
      expect(newest.changed_fields.sort()).toEqual(['layout', 'relatedItems', 'subjects', 'title']);
      expect(newest).toMatchObject({ comments: 'Checked in from a working copy.', actor: { id: 'admin' } });
      const hits = (await site.request('GET', '/@search?Subject=blue')).body.items;
      expect(hits.map((item: Json) => item['@id'])).toEqual([site.url + path]);
      expect((await site.request('GET', `${path}/@history/${old[0].version}`)).body.title).toBe('Before');
      await isFree(path);
    });

    it('check-in works from the original, and makes no version when nothing was changed', async () => {
      const path = await page('/', 'unchanged');
      const [before, old] = [await site.read(path), await versions(path)];
      await checkOut(path);
      expect((await working('PATCH', path)).status).toBe(204);
      expect((await site.read(path)).modified).toBe(before.modified);
      expect(await versions(path)).toEqual(old);
      expect((await working('PATCH', path)).status).toBe(403);
    });

    it('check-in keeps the state and the date of an original that was published meanwhile', async () => {
      const path = await page('/', 'meanwhile');
      const copy = await checkOut(path);
      await site.publish(path);
      const { effective } = await site.read(path);
      expect((await working('PATCH', copy)).status).toBe(204);
      expect(await site.read(path)).toMatchObject({ review_state: 'published', effective });
      expect(effective).not.toBeNull();
    });

    it('check-in needs the permissions on the original, which the owner of the copy may have lost', async () => {
      const folder = await site.add('/', 'lost');
      const path = await page(folder, 'page');
      const fred = await site.person('lost-fred');
      await site.share(folder, 'lost-fred', 'Contributor', 'Reader');
      await site.share(path, 'lost-fred', 'Editor');
      const copy = await checkOut(path, fred);
      expect((await patch(copy, { title: 'Mine' }, fred)).status).toBe(204);
      await site.request('POST', `${path}/@sharing`, {
        json: { entries: [{ id: 'lost-fred', type: 'user', roles: { Editor: false } }] },
      });
      expect((await working('PATCH', copy, fred)).status).toBe(403);
      expect((await site.read(path)).title).toBe('page');
      // The owner can still cancel the check-out.
      expect((await working('DELETE', copy, fred)).status).toBe(204);
      await isFree(path);
    });

    it('check-in is rejected while another user has locked the copy', async () => {
      const folder = await site.add('/', 'editing');
      const path = await page(folder, 'page');
      const gina = await site.person('editing-gina');
      await site.share(folder, 'editing-gina', 'Editor', 'Contributor', 'Reader');
      const copy = await checkOut(path, gina);
      await site.request('POST', `${copy}/@lock`, { as: gina, json: {} });
      for (const method of ['PATCH', 'DELETE']) expect((await working(method, path)).status).toBe(403);
      expect((await working('PATCH', copy, gina)).status).toBe(204);
    });

    it('check-in and cancelling are rejected for a copy with content in it', async () => {
      const path = await site.add('/', 'filled');
      const copy = await checkOut(path);
      const child = await page(copy, 'child');
      for (const method of ['PATCH', 'DELETE']) expect((await working(method, copy)).status).toBe(409);
      expect((await site.move('/', child)).status).toBe(200);
      expect((await working('PATCH', copy)).status).toBe(204);
    });

    it('check-in finds both sides after they were moved', async () => {
      const [from, to] = [await site.add('/', 'moving'), await site.add('/', 'moved-to')];
      const path = await page(from, 'page');
      const copy = await checkOut(path);
      expect((await site.move(to, copy)).status).toBe(200);
      await patch(`${to}/${workingCopyIds('page')[0]}`, { title: 'From afar' });
      await patch(from, { id: 'moving-2' });
      expect((await site.read('/moving-2/page')).working_copy['@id']).toBe(
        `${site.url}${to}/${workingCopyIds('page')[0]}`,
      );
      expect((await working('PATCH', `${to}/${workingCopyIds('page')[0]}`)).status).toBe(204);
      expect((await site.read('/moving-2/page')).title).toBe('From afar');
    });

    it('of concurrent check-in and cancelling exactly one takes effect, completely', async () => {
      for (let round = 0; round < 5; round += 1) {
        const path = await page('/', `either-${round}`, { title: 'Before' });
        const copy = await checkOut(path);
        await patch(copy, { title: 'After' });
        const [checkedIn, cancelled] = (await Promise.all([working('PATCH', copy), working('DELETE', path)])) as [
          Exchange,
          Exchange,
        ];
        expect([checkedIn.status, cancelled.status].filter((status) => status === 204)).toHaveLength(1);
        for (const { status } of [checkedIn, cancelled]) expect([204, 403, 404]).toContain(status);
        expect((await site.read(path)).title).toBe(checkedIn.status === 204 ? 'After' : 'Before');
        await isFree(path);
      }
    });
  });

  describe('when a side is deleted', () => {
    const restore = async (path: string) => {
      const { items } = (await site.request('GET', `/@recyclebin?path=${encodeURIComponent(path)}`)).body;
      const { recycle_id: id } = items.find((entry: Json) => entry.path === path);
      const { status, body } = await site.request('POST', `/@recyclebin/${id}/restore`, { json: {} });
      expect([status, body]).toEqual([200, body]);
    };
    const remove = async (path: string) => expect((await site.request('DELETE', path)).status).toBe(204);

    it('the original is unlocked when the copy is deleted, and stays so when the copy is restored', async () => {
      const path = await page('/', 'by-hand');
      const copy = await checkOut(path);
      await remove(copy);
      await isFree(path);
      await restore(copy);
      await isFree(copy);
      await isFree(path);
      // The original can be checked out again.
      expect(await checkOut(path)).toBe(`/${workingCopyIds('by-hand')[1]}`);
    });

    it('the original is unlocked when the copy is deleted with its folder', async () => {
      const path = await page('/', 'with-folder');
      const away = await site.add('/', 'away');
      await site.move(away, await checkOut(path));
      await remove(away);
      await isFree(path);
    });

    it('the copy becomes ordinary content when the original is deleted with its folder', async () => {
      const folder = await site.add('/', 'gone');
      const copy = await checkOut(await page(folder, 'page'));
      await site.move('/', copy);
      await remove(folder);
      await isFree(`/${workingCopyIds('page')[0]}`);
      await restore(folder);
      await isFree(`${folder}/page`);
    });

    it('original and copy that were deleted together are restored with their link', async () => {
      const folder = await site.add('/', 'together');
      const path = await page(folder, 'page');
      const copy = await checkOut(path);
      const lock = await lockOf(path);
      await remove(folder);
      await restore(folder);
      expect(await lockOf(path)).toEqual(lock);
      await patch(copy, { title: 'Survived' });
      expect((await working('PATCH', copy)).status).toBe(204);
      expect((await site.read(path)).title).toBe('Survived');
    });

    it('the copy of a cancelled check-out can be restored from the recycle bin', async () => {
      const path = await page('/', 'regret');
      const copy = await checkOut(path);
      await patch(copy, { title: 'Worth keeping' });
      expect((await working('DELETE', path)).status).toBe(204);
      await restore(copy);
      expect((await site.read(copy)).title).toBe('Worth keeping');
      await isFree(path);
    });
  });
});
