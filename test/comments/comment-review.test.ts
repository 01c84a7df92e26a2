import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('moderation of comments', (engine) => {
  const site = useTestSite(engine);
  const { comment, list, requirePermission, page, person, set, status, texts } = commentsOf(site);
  beforeAll(() => set({ moderation_enabled: true }));
  afterAll(() => set({ moderation_enabled: false }));
  const go = (address: string, transition: string, as: Parameters<typeof texts>[1] = 'admin') =>
    status('POST', `${address}/@workflow/${transition}`, as, {});

  it('a pending comment is hidden from everybody but its author and reviewers until it is published', async () => {
    const path = await page();
    const [ann, bob, reviewer] = [await person(), await person(), await person(['Member', 'Reviewer'])];
    const address = await comment(path, 'Please', ann);
    for (const as of [bob, 'anonymous'] as const) {
      expect(await texts(path, as)).toEqual([0]);
      expect(await status('GET', address, as)).toBe(404);
      expect(await status('PATCH', address, as, { text: 'x' })).toBe(404);
      expect(await status('DELETE', address, as)).toBe(404);
    }
    expect(await status('POST', address, bob, { text: 'x' })).toBe(404);
    for (const as of [ann, reviewer]) {
      expect(await texts(path, as)).toEqual([1, 'Please']);
      expect((await requirePermission(200, 'GET', address, { as })).body.review_state).toBe('pending');
    }
    expect(await go(address, 'publish', ann)).toBe(403);
    expect(await go(address, 'publish', 'anonymous')).toBe(401);
    expect(await go(address, 'publish', reviewer)).toBe(204);
    expect(await go(address, 'publish', reviewer)).toBe(204);
    expect(await texts(path, 'anonymous')).toEqual([1, 'Please']);
  });

  it('a comment of a reviewer is published at once', async () => {
    const path = await page();
    await comment(path, 'At once', await person(['Member', 'Reviewer']));
    expect(await texts(path, 'anonymous')).toEqual([1, 'At once']);
  });

  it('a rejected comment hides its whole thread from lists, totals, batches and links', async () => {
    const path = await page();
    const bob = await person();
    const one = await comment(path, 'one');
    await comment(await comment(one, 'one.one'), 'one.one.one');
    await comment(path, 'two');
    expect(await go(one, 'reject')).toBe(204);
    expect(await texts(path, bob)).toEqual([1, 'two']);
    const { body } = await requirePermission(200, 'GET', `${path}/@comments?b_size=1`, { as: bob });
    expect([body.items_total, 'batching' in body]).toEqual([1, false]);
    expect((await texts(path))[0]).toBe(4);
    const hidden = (await list(path)).items[1];
    expect(await status('GET', hidden['@id'], bob)).toBe(404);
    expect(await go(one, 'publish')).toBe(204);
    expect((await texts(path, bob))[0]).toBe(4);
  });

  it('a hidden reply does not change what the author may do with the comment above it', async () => {
    const path = await page();
    const [ann, bob] = [await person(), await person()];
    const address = await comment(path, 'Of Ann', ann);
    expect(await go(address, 'publish')).toBe(204);
    await comment(address, 'Hidden', bob);
    const { is_deletable: deletable, can_reply: open } = (await requirePermission(200, 'GET', address, { as: ann }))
      .body;
    expect([deletable, open]).toEqual([true, true]);
    expect((await list(path, ann)).items).toHaveLength(1);
    expect(await status('DELETE', address, ann)).toBe(204);
    expect(await texts(path)).toEqual([0]);
  });

  it('an author cannot change a comment after it was published', async () => {
    const path = await page();
    const ann = await person();
    const address = await comment(path, 'Harmless', ann);
    await requirePermission(204, 'PATCH', address, { json: { text: 'Harmless, really' }, as: ann });
    expect(await texts(path, 'anonymous')).toEqual([0]);
    expect(await go(address, 'publish')).toBe(204);
    expect((await requirePermission(200, 'GET', address, { as: ann })).body.is_editable).toBe(false);
    expect(await status('PATCH', address, ann, { text: 'Spam' })).toBe(403);
    await requirePermission(204, 'PATCH', address, { json: { text: 'Corrected' } });
    expect(await texts(path, 'anonymous')).toEqual([1, 'Corrected']);
  });

  it('an unknown transition of a comment returns 400 and names the two valid ones', async () => {
    const path = await page();
    const address = await comment(path, 'Here');
    for (const transition of ['submit', '__proto__', 'constructor']) {
      const { body } = await requirePermission(400, 'POST', `${address}/@workflow/${transition}`, { json: {} });
      expect([body.type, body.message]).toEqual(['WorkflowException', expect.stringContaining('publish, reject')]);
    }
    expect(await go(`${path}/@comments/none`, 'publish')).toBe(404);
  });

  it('restored content has its comments with their review states', async () => {
    const path = await page();
    const ann = await person();
    await comment(path, 'Waiting', ann);
    expect(await status('DELETE', path)).toBe(204);
    const { items } = (await requirePermission(200, 'GET', '/@recyclebin')).body;
    const entry = items.find(({ title }: Json) => title === path.slice(1));
    await requirePermission(200, 'POST', `${entry['@id']}/restore`, { json: {} });
    expect((await list(path)).items[0].review_state).toBe('pending');
    expect(await texts(path, 'anonymous')).toEqual([0]);
  });
});
