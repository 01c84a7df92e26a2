import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { workingCopyIds } from '../support/profiles.ts';
import type { Json, Who } from '../support/site.ts';
import { startWorkingCopySite, type WorkingCopySite } from './working-copy-site.ts';

const [COPY] = workingCopyIds('original');

describeEachEngine('working copies: checking out', (engine) => {
  let site: WorkingCopySite;
  beforeAll(async () => {
    site = await startWorkingCopySite(engine);
  });
  afterAll(() => site?.close());

  it('check-out makes a private copy beside the original, owned by the caller, with all values and without children', async () => {
    const folder = await site.add('/', 'out');
    await site.publish(folder);
    const original = await site.add(folder, 'original', { description: 'Text', subjects: ['red'] });
    await site.page(original, 'child');
    await site.publish(original);
    await site.patch(original, { effective: '2020-01-01T00:00:00+00:00', expires: '2040-01-01T00:00:00+00:00' });
    const carla = await site.person('out-carla', ['Member']);
    await site.share(folder, 'out-carla', 'Editor', 'Contributor', 'Reader');
    const { status, body, headers } = await site.working('POST', original, carla);
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
    const path = await site.page(folder, 'page');
    const bert = await site.person('locked-bert', ['Member']);
    await site.share(folder, 'locked-bert', 'Editor', 'Contributor', 'Reader');
    await site.checkOut(path);
    const lock = await site.lockOf(path);
    expect(lock).toMatchObject({
      locked: true,
      stealable: false,
      name: 'iterate.lock',
      timeout: 4_294_967_280,
      creator: 'admin',
    });
    for (const as of ['admin', bert] as Who[]) {
      const headers = { 'Lock-Token': lock.token };
      expect((await site.patch(path, { title: 'Behind' }, as, headers)).status).toBe(403);
      expect((await site.patch(path, { id: 'renamed' }, as, headers)).status).toBe(403);
      expect((await site.request('DELETE', path, { as, headers })).status).toBe(403);
      expect((await site.request('POST', '/@move', { as: 'admin', headers, json: { source: path } })).status).toBe(403);
      await site.request('PATCH', `${path}/@lock`, { as });
      await site.request('POST', `${path}/@lock`, { as, json: { timeout: 1 } });
      const stolen = await site.request('DELETE', `${path}/@lock`, { as, json: { force: true } });
      // The token is shown to the owner of the lock only.
      const { token, ...shown } = lock;
      expect(token).toBeTypeOf('string');
      expect(stolen.body).toMatchObject(shown);
    }
    expect(await site.lockOf(path)).toEqual(lock);
    await site.working('DELETE', path);
    // The rejected requests above changed nothing.
    await site.expectFree(path);
  });

  it('content that is checked out, a working copy and the site root cannot be checked out', async () => {
    const path = await site.page('/', 'twice');
    const copy = await site.checkOut(path);
    for (const at of [path, copy, '']) expect((await site.working('POST', at)).status).toBe(403);
    expect((await site.request('GET', `/${workingCopyIds('twice')[1]}`)).status).toBe(404);
  });

  it('check-out is rejected for content that another user has locked, and replaces the caller’s own lock', async () => {
    const folder = await site.add('/', 'busy');
    const path = await site.page(folder, 'page');
    const bert = await site.person('busy-bert', ['Member']);
    await site.share(folder, 'busy-bert', 'Editor', 'Contributor', 'Reader');
    const { token } = (await site.request('POST', `${path}/@lock`, { json: {} })).body;
    expect((await site.working('POST', path, bert)).status).toBe(403);
    expect((await site.working('POST', path, bert, { 'Lock-Token': token })).status).toBe(201);
    expect((await site.working('DELETE', path)).status).toBe(204);
    await site.request('POST', `${path}/@lock`, { json: {} });
    await site.checkOut(path);
    expect((await site.lockOf(path)).name).toBe('iterate.lock');
    expect((await site.working('DELETE', path)).status).toBe(204);
    await site.expectFree(path);
  });

  it('check-out needs its permission and the permission to add in the container', async () => {
    const folder = await site.add('/', 'rights');
    const path = await site.page(folder, 'page');
    await site.publish(folder);
    await site.publish(path);
    const dora = await site.person('rights-dora', ['Member']);
    const statuses = async () => [
      (await site.working('POST', path, 'anonymous')).status,
      (await site.working('POST', path, dora)).status,
    ];
    expect(await statuses()).toEqual([401, 403]);
    await site.share(path, 'rights-dora', 'Editor');
    expect(await statuses()).toEqual([401, 403]);
    await site.share(folder, 'rights-dora', 'Contributor');
    expect(await statuses()).toEqual([401, 201]);
  });

  it('of concurrent check-outs one succeeds', async () => {
    const path = await site.page('/', 'crowd');
    const responses = await Promise.all(Array.from({ length: 6 }, () => site.working('POST', path)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403, 403]);
    expect((await site.childIds('')).filter((id) => /_of_crowd$/.test(id))).toHaveLength(1);
  });
});
