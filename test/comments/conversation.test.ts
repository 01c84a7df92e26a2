import { describe, expect, it } from 'vitest';
import { loadConfiguration, writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('comments', (engine) => {
  const site = useTestSite(engine);
  const { comment, list, requirePermission, page, person, send, set, status, texts } = commentsOf(site);

  it('a comment is represented as clients expect it', async () => {
    const path = await page();
    const ann = await person();
    const address = await comment(path, 'First <b>\nsecond line', ann);
    const { body } = await requirePermission(200, 'GET', address, { as: 'anonymous' });
    const id = address.split('/').at(-1);
    expect(body).toEqual({
      '@id': site.url + address,
      '@type': 'Discussion Item',
      '@parent': null,
      comment_id: id,
      in_reply_to: null,
      text: { data: 'First <b>\nsecond line', 'mime-type': 'text/plain' },
      author_name: ann.id,
      author_username: ann.id,
      author_image: null,
      creation_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      modification_date: body.creation_date,
      review_state: 'published',
      user_notification: null,
      is_editable: false,
      is_deletable: false,
      can_reply: false,
    });
    expect(await list(path)).toEqual({
      '@id': `${site.url}${path}/@comments`,
      items: [{ ...body, is_editable: true, is_deletable: true, can_reply: true }],
      items_total: 1,
      permissions: { view_comments: true, can_reply: true },
    });
  });

  it('comments are listed thread by thread, in batches that link each other', async () => {
    const path = await page();
    const one = await comment(path, '1');
    await comment(path, '2');
    const reply = await comment(one, '1.1');
    await comment(one, '1.2');
    await comment(reply, '1.1.1');
    expect(await texts(path)).toEqual([5, '1', '1.1', '1.1.1', '1.2', '2']);
    const { body } = await requirePermission(200, 'GET', `${path}/@comments?b_size=2&b_start=2`);
    expect([body.items_total, body.items.map(({ text }: Json) => text.data)]).toEqual([5, ['1.1.1', '1.2']]);
    expect(body.items[0]).toMatchObject({ '@parent': site.url + reply, in_reply_to: reply.split('/').at(-1) });
    expect(body.batching).toMatchObject({
      prev: `${site.url}${path}/@comments?b_start=0&b_size=2`,
      next: `${site.url}${path}/@comments?b_start=4&b_size=2`,
    });
    expect((await requirePermission(200, 'GET', `${path}/@comments?b_start=9`)).body).toMatchObject({
      items: [],
      items_total: 5,
    });
    expect(await status('GET', `${path}/@comments?b_size=many`)).toBe(400);
  });

  it('a comment of somebody without a full name shows the one that its author has now, and the present portrait', async () => {
    const path = await page();
    const ann = await person();
    const [address, visible] = [await comment(path, 'Hi', ann), async () => (await list(path)).items[0].author_image];
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4wcAAAAJcAMlDyBJGAAAAAElFTkSuQmCC';
    const portrait = { data, encoding: 'base64', 'content-type': 'image/png', filename: 'p.png' };
    expect(await status('PATCH', `/@users/${ann.id}`, 'admin', { fullname: 'Ann Author', portrait })).toBe(204);
    expect((await requirePermission(200, 'GET', address)).body).toMatchObject({
      author_name: 'Ann Author',
      author_username: ann.id,
    });
    expect(await visible()).toBe(`${site.url}/@portrait/${ann.id}`);
    expect(await status('GET', await visible(), 'anonymous')).toBe(200);
    expect(await status('DELETE', `/@users/${ann.id}`)).toBe(204);
    expect((await requirePermission(200, 'GET', address)).body).toMatchObject({
      author_name: ann.id,
      author_image: null,
    });
  });

  it('a change of a comment sets its text and date only, and the same text changes nothing', async () => {
    const path = await page();
    const address = await comment(path, 'Before');
    const before = (await requirePermission(200, 'GET', address)).body;
    const changed = await requirePermission(204, 'PATCH', address, { json: { text: 'After' } });
    expect(changed.headers.get('location')).toBe(site.url + address);
    const { body } = await requirePermission(200, 'GET', address);
    expect(body).toEqual({
      ...before,
      text: { ...before.text, data: 'After' },
      modification_date: body.modification_date,
    });
    expect(body.modification_date > before.modification_date).toBe(true);
    await requirePermission(204, 'PATCH', address, { json: { text: 'After' } });
    expect((await requirePermission(200, 'GET', address)).body).toEqual(body);
  });

  it('a deleted comment takes all its replies with it', async () => {
    const path = await page();
    const one = await comment(path, 'one');
    await comment(await comment(one, 'one.one'), 'one.one.one');
    await comment(path, 'two');
    expect(await status('DELETE', one)).toBe(204);
    expect(await texts(path)).toEqual([1, 'two']);
    for (const method of ['GET', 'DELETE']) expect(await status(method, one)).toBe(404);
  });

  it('a comment is not found below other content', async () => {
    const [path, other] = [await page(), await page()];
    const address = await comment(path, 'Here');
    const elsewhere = address.replace(path, other);
    expect(await status('GET', elsewhere)).toBe(404);
    expect(await status('PATCH', elsewhere, 'admin', { text: 'x' })).toBe(404);
    expect(await status('POST', elsewhere, 'admin', { text: 'x' })).toBe(404);
    expect(await status('DELETE', elsewhere)).toBe(404);
    expect(await texts(path)).toEqual([1, 'Here']);
  });

  it.each([
    {},
    { text: '' },
    { text: ' \n' },
    { text: null },
    { text: 5 },
    { text: { data: 'x' } },
    { text: 'a\u0000' },
    { text: 'a\ud800' },
    { text: 'x'.repeat(100_001) },
  ])('a comment with the body %j is rejected', async (json) => {
    const path = await page();
    const address = await comment(path, 'Kept');
    for (const [method, target] of [
      ['POST', `${path}/@comments`],
      ['POST', address],
      ['PATCH', address],
    ] as const) {
      const { status: refused, body } = await send(method, target, json);
      expect([refused, typeof body.message]).toEqual([400, 'string']);
    }
    expect(await texts(path)).toEqual([1, 'Kept']);
  });

  it('replies are nested to a hundred levels, and the deepest comment cannot be replied to', async () => {
    const path = await page();
    let address = await comment(path, '1');
    for (let level = 2; level <= 100; level += 1) address = await comment(address, String(level));
    expect((await requirePermission(200, 'GET', address)).body.can_reply).toBe(false);
    expect(await status('POST', address, 'admin', { text: '101' })).toBe(400);
    expect((await list(path)).items_total).toBe(100);
  });

  it('a new comment has the media type of the site and keeps it', async () => {
    const path = await page();
    await set({ text_transform: 'text/html' });
    const html = await comment(path, '<p onclick="x()">Hi <script>alert(1)</script><b>there</b>');
    const textOf = async (address: string) => (await requirePermission(200, 'GET', address)).body.text;
    expect(await textOf(html)).toEqual({ data: '<p>Hi <b>there</b></p>', 'mime-type': 'text/html' });
    expect(await status('POST', `${path}/@comments`, 'admin', { text: '<script>x</script>' })).toBe(400);
    await set({ text_transform: 'text/x-web-markdown' });
    const markdown = await comment(path, '*Hi* <script>');
    expect(await textOf(markdown)).toEqual({ data: '*Hi* <script>', 'mime-type': 'text/x-web-markdown' });
    await requirePermission(204, 'PATCH', html, {
      json: { text: '<i>Bye</i><iframe src="https://evil.example.org"></iframe>' },
    });
    expect(await textOf(html)).toEqual({ data: '<i>Bye</i>', 'mime-type': 'text/html' });
    await set({ text_transform: 'text/plain' });
  });

  it('an imported comment of an unknown media type is served as plain text', async () => {
    const path = await page();
    await site.kernel.db.query({
      text: `insert into comment (id, content, body, mime_type, author_name, created, modified)
        select 'from/plone', oid, '<script>x</script>', 'text/x-web-intelligent', 'Old Friend', now(), now() from content where path = $1`,
      values: [path],
    });
    const [item] = (await list(path)).items;
    expect(item).toMatchObject({
      '@id': `${site.url}${path}/@comments/from%2Fplone`,
      author_name: 'Old Friend',
      author_username: null,
      text: { data: '<script>x</script>', 'mime-type': 'text/plain' },
    });
  });

  describe('comments and their content', () => {
    it('a moved or restored page keeps its comments, a copy has none', async () => {
      const path = await page();
      const address = await comment(path, 'Stays');
      await comment(address, 'Stays, too');
      const { modified } = (await requirePermission(200, 'GET', path)).body;
      await requirePermission(200, 'POST', '/@copy', { json: { source: path } });
      expect(await texts(`/copy_of_${path.slice(1)}`)).toEqual([0]);
      await requirePermission(204, 'PATCH', path, { json: { id: 'renamed' } });
      expect(await texts('/renamed')).toEqual([2, 'Stays', 'Stays, too']);
      expect((await requirePermission(200, 'GET', '/renamed')).body.modified).toBe(modified);
      expect(await status('DELETE', '/renamed')).toBe(204);
      const [entry] = (await requirePermission(200, 'GET', '/@recyclebin')).body.items;
      await requirePermission(200, 'POST', `${entry['@id']}/restore`, { json: {} });
      expect(await texts('/renamed')).toEqual([2, 'Stays', 'Stays, too']);
    });

    it('comments are closed by the content, by the site, and by a type without the field', async () => {
      const path = await page();
      const address = await comment(path, 'While open');
      const isClosed = async (closed: string) => {
        expect((await list(closed)).permissions.can_reply).toBe(false);
        expect(await status('POST', `${closed}/@comments`, 'admin', { text: 'Too late' })).toBe(403);
      };
      await requirePermission(204, 'PATCH', path, { json: { allow_discussion: false } });
      await isClosed(path);
      expect((await requirePermission(200, 'GET', address)).body.can_reply).toBe(false);
      expect(await status('POST', address, 'admin', { text: 'Too late' })).toBe(403);
      await requirePermission(204, 'PATCH', address, { json: { text: 'Still mine' } });
      expect(await texts(path)).toEqual([1, 'Still mine']);
      const silent = await page();
      await set({ globally_enabled: false });
      await isClosed(silent);
      await requirePermission(204, 'PATCH', path, { json: { allow_discussion: true } });
      await comment(path, 'Open where the content says so');
      await set({ globally_enabled: true });
      await comment(silent, 'Open');
      const { rows } = await loadConfiguration(site.kernel.db);
      const type = rows.find(({ kind, id }) => kind === 'type' && id === 'Page')?.data as Json;
      const behaviors = type.behaviors.filter((name: string) => name !== 'plone.allowdiscussion');
      const data = { ...type, id: 'Silent', behaviors };
      await writeConfiguration(site.kernel.db, [{ kind: 'type', id: 'Silent', position: 99, data }]);
      await isClosed(await page({ '@type': 'Silent' }));
    });
  });
});
