import { afterAll, beforeAll, expect, it } from 'vitest';
import { locate } from '../../src/core/content/locate.ts';
import { replaceStored } from '../../src/core/content/write-change.ts';
import { manager } from '../content/make.ts';
import { describeEachEngine } from '../support/database.ts';
import { workingCopyIds } from '../support/profiles.ts';
import type { Exchange, Json } from '../support/site.ts';
import { startWorkingCopySite, type WorkingCopySite } from './working-copy-site.ts';

const [COPY] = workingCopyIds('original');

describeEachEngine('working copies: checking in', (engine) => {
  let site: WorkingCopySite;
  beforeAll(async () => {
    site = await startWorkingCopySite(engine);
  });
  afterAll(() => site?.close());

  const versions = async (path: string): Promise<Json[]> =>
    (await site.request('GET', `${path}/@history`)).body.filter(({ type }: Json) => type === 'versioning');

  it('check-in changes the values of the original and nothing else, with one version', async () => {
    const folder = await site.add('/', 'in');
    await site.page(folder, 'first');
    const path = await site.add(folder, 'original', { title: 'Before', description: 'Old', subjects: ['red'] });
    await site.page(folder, 'last');
    const child = await site.page(path, 'child');
    await site.publish(path);
    await site.person('in-emil');
    await site.share(path, 'in-emil', 'Reviewer');
    const before = await site.read(path);
    const copy = await site.checkOut(path);
    await site.patch(copy, { title: 'After', subjects: ['blue'], layout: 'summary_view', relatedItems: [before.UID] });
    await site.patch(copy, { relatedItems: [(await site.read(child)).UID] });
    const order = await site.childIds(folder);
    const old = await versions(path);
    expect((await site.working('PATCH', copy)).status).toBe(204);
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
    await site.expectFree(path);
  });

  it('check-in works from the original, and makes no version when nothing was changed', async () => {
    const path = await site.page('/', 'unchanged');
    const [before, old] = [await site.read(path), await versions(path)];
    await site.checkOut(path);
    expect((await site.working('PATCH', path)).status).toBe(204);
    expect((await site.read(path)).modified).toBe(before.modified);
    expect(await versions(path)).toEqual(old);
    expect((await site.working('PATCH', path)).status).toBe(403);
  });

  it('check-in keeps the state and the date of an original that was published meanwhile', async () => {
    const path = await site.page('/', 'meanwhile');
    const copy = await site.checkOut(path);
    await site.publish(path);
    const { effective } = await site.read(path);
    expect((await site.working('PATCH', copy)).status).toBe(204);
    expect(await site.read(path)).toMatchObject({ review_state: 'published', effective });
    expect(effective).not.toBeNull();
  });

  /** Changes an original behind its lock, as a replacement in the whole site does. */
  const change = async (path: string, values: Json): Promise<void> => {
    const { kernel } = site;
    await kernel.db.transaction(async (tx) => {
      const { site: now, resolved } = await locate(kernel, path, tx);
      if (!resolved) throw new Error(path);
      await replaceStored(kernel, tx, { site: now, object: resolved.object, caller: manager(), values });
    });
  };

  it('check-in keeps what was changed in the original meanwhile, and merges inside of texts', async () => {
    const path = await site.page('/', 'both', { description: 'One two three', subjects: ['red'] });
    const copy = await site.checkOut(path);
    await change(path, { description: 'ONE two three', rights: 'All' });
    await site.patch(copy, { description: 'One two THREE', title: 'Copied' });
    expect((await site.working('PATCH', copy)).status).toBe(204);
    const merged = { title: 'Copied', description: 'ONE two THREE', rights: 'All', subjects: ['red'] };
    expect(await site.read(path)).toMatchObject(merged);
  });

  it('check-in is rejected where the copy and the original changed the same, unless one of them counts', async () => {
    const path = await site.page('/', 'contested', { title: 'Base' });
    const copy = await site.checkOut(path);
    await change(path, { title: 'Original' });
    await site.patch(copy, { title: 'Copy', description: 'More' });
    const { status, body } = await site.working('PATCH', copy);
    expect([status, body.conflicts]).toEqual([
      409,
      [{ field: 'title', base: 'Base', mine: 'Copy', theirs: 'Original' }],
    ]);
    expect((await site.read(path)).working_copy).not.toBeNull();
    expect((await site.request('PATCH', `${copy}/@workingcopy?on_conflict=mine`)).status).toBe(204);
    expect(await site.read(path)).toMatchObject({ title: 'Copy', description: 'More' });
  });

  it('check-in needs the permissions on the original, which the owner of the copy may have lost', async () => {
    const folder = await site.add('/', 'lost');
    const path = await site.page(folder, 'page');
    const fred = await site.person('lost-fred');
    await site.share(folder, 'lost-fred', 'Contributor', 'Reader');
    await site.share(path, 'lost-fred', 'Editor');
    const copy = await site.checkOut(path, fred);
    expect((await site.patch(copy, { title: 'Mine' }, fred)).status).toBe(204);
    await site.request('POST', `${path}/@sharing`, {
      json: { entries: [{ id: 'lost-fred', type: 'user', roles: { Editor: false } }] },
    });
    expect((await site.working('PATCH', copy, fred)).status).toBe(403);
    expect((await site.read(path)).title).toBe('page');
    // The owner can still cancel the check-out.
    expect((await site.working('DELETE', copy, fred)).status).toBe(204);
    await site.expectFree(path);
  });

  it('check-in is rejected while another user has locked the copy', async () => {
    const folder = await site.add('/', 'editing');
    const path = await site.page(folder, 'page');
    const gina = await site.person('editing-gina');
    await site.share(folder, 'editing-gina', 'Editor', 'Contributor', 'Reader');
    const copy = await site.checkOut(path, gina);
    await site.request('POST', `${copy}/@lock`, { as: gina, json: {} });
    for (const method of ['PATCH', 'DELETE']) expect((await site.working(method, path)).status).toBe(403);
    expect((await site.working('PATCH', copy, gina)).status).toBe(204);
  });

  it('check-in and cancelling are rejected for a copy with content in it', async () => {
    const path = await site.add('/', 'filled');
    const copy = await site.checkOut(path);
    const child = await site.page(copy, 'child');
    for (const method of ['PATCH', 'DELETE']) expect((await site.working(method, copy)).status).toBe(409);
    expect((await site.move('/', child)).status).toBe(200);
    expect((await site.working('PATCH', copy)).status).toBe(204);
  });

  it('check-in finds both sides after they were moved', async () => {
    const [from, to] = [await site.add('/', 'moving'), await site.add('/', 'moved-to')];
    const path = await site.page(from, 'page');
    const copy = await site.checkOut(path);
    expect((await site.move(to, copy)).status).toBe(200);
    await site.patch(`${to}/${workingCopyIds('page')[0]}`, { title: 'From afar' });
    await site.patch(from, { id: 'moving-2' });
    expect((await site.read('/moving-2/page')).working_copy['@id']).toBe(
      `${site.url}${to}/${workingCopyIds('page')[0]}`,
    );
    expect((await site.working('PATCH', `${to}/${workingCopyIds('page')[0]}`)).status).toBe(204);
    expect((await site.read('/moving-2/page')).title).toBe('From afar');
  });

  it('of concurrent check-in and cancelling exactly one takes effect, completely', async () => {
    for (let round = 0; round < 5; round += 1) {
      const path = await site.page('/', `either-${round}`, { title: 'Before' });
      const copy = await site.checkOut(path);
      await site.patch(copy, { title: 'After' });
      const [checkedIn, cancelled] = (await Promise.all([
        site.working('PATCH', copy),
        site.working('DELETE', path),
      ])) as [Exchange, Exchange];
      expect([checkedIn.status, cancelled.status].filter((status) => status === 204)).toHaveLength(1);
      for (const { status } of [checkedIn, cancelled]) expect([204, 403, 404]).toContain(status);
      expect((await site.read(path)).title).toBe(checkedIn.status === 204 ? 'After' : 'Before');
      await site.expectFree(path);
    }
  });
});
