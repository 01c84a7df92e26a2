import { describe, expect, it } from 'vitest';
import { writeConfiguration } from '../../src/core/configuration/statements/configuration.ts';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { commentsOf } from './comment-site.ts';

describeEachEngine('permissions of comments', (engine) => {
  const site = useTestSite(engine);
  const { comment, list, requirePermission, page, person, set, status, texts } = commentsOf(site);
  const permit = async (permission: string, roles: string[]) =>
    writeConfiguration(site.kernel.db, [{ kind: 'permission', id: permission, position: 0, data: roles }]);
  const flags = async (path: string, as: Parameters<typeof list>[1]) =>
    (await list(path, as)).items.map(({ text, ...item }: Json) => [text.data, item.is_editable, item.is_deletable]);

  it('a comment can be changed and deleted by its author and by users with the permissions for it', async () => {
    const path = await page();
    const [ann, bob, reviewer] = [await person(), await person(), await person(['Member', 'Reviewer'])];
    const address = await comment(path, 'Of Ann', ann);
    expect(await flags(path, ann)).toEqual([['Of Ann', true, true]]);
    expect(await flags(path, bob)).toEqual([['Of Ann', false, false]]);
    expect(await flags(path, reviewer)).toEqual([['Of Ann', false, true]]);
    expect(await flags(path, 'anonymous')).toEqual([['Of Ann', false, false]]);
    expect(await status('PATCH', address, bob, { text: 'x' })).toBe(403);
    expect(await status('PATCH', address, reviewer, { text: 'x' })).toBe(403);
    expect(await status('PATCH', address, 'anonymous', { text: 'x' })).toBe(401);
    expect(await status('DELETE', address, bob)).toBe(403);
    expect(await status('DELETE', address, 'anonymous')).toBe(401);
    await requirePermission(204, 'PATCH', address, { json: { text: 'Still of Ann' }, as: ann });
    expect(await texts(path)).toEqual([1, 'Still of Ann']);
    await requirePermission(204, 'DELETE', address, { as: reviewer });
    expect(await texts(path)).toEqual([0]);
  });

  it('an author can delete a comment only while it has no reply', async () => {
    const path = await page();
    const [ann, bob] = [await person(), await person()];
    const address = await comment(path, 'Of Ann', ann);
    const reply = await comment(address, 'Of Bob', bob);
    expect(await flags(path, ann)).toEqual([
      ['Of Ann', true, false],
      ['Of Bob', false, false],
    ]);
    expect(await status('DELETE', address, ann)).toBe(403);
    await requirePermission(204, 'DELETE', reply, { as: bob });
    await requirePermission(204, 'DELETE', address, { as: ann });
  });

  it('settings of the site decide whether authors can change and delete their comments', async () => {
    const path = await page();
    const ann = await person();
    const address = await comment(path, 'Of Ann', ann);
    await set({ edit_comment_enabled: false, delete_own_comment_enabled: false });
    expect(await flags(path, ann)).toEqual([['Of Ann', false, false]]);
    expect(await flags(path, 'admin')).toEqual([['Of Ann', false, true]]);
    expect(await status('PATCH', address, 'admin', { text: 'x' })).toBe(403);
    expect(await status('DELETE', address, ann)).toBe(403);
    await set({ edit_comment_enabled: true, delete_own_comment_enabled: true });
  });

  it('no user can change or delete a comment whose author has no account', async () => {
    const path = await page();
    const [ann, bob] = [await person(), await person()];
    const address = await comment(path, 'Of a visitor', bob);
    await site.kernel.db.query({
      text: 'update comment set author = null where id = $1',
      values: [address.split('/').at(-1)],
    });
    for (const as of [ann, 'anonymous'] as const)
      expect(await flags(path, as)).toEqual([['Of a visitor', false, false]]);
  });

  it('comments are as visible as their content', async () => {
    const path = await page();
    const ann = await person();
    const address = await comment(path, 'While public', ann);
    await requirePermission(200, 'POST', `${path}/@workflow/retract`, { json: {} });
    for (const [method, target, json] of [
      ['GET', `${path}/@comments`],
      ['GET', address],
      ['POST', `${path}/@comments`, { text: 'x' }],
      ['POST', address, { text: 'x' }],
      ['PATCH', address, { text: 'x' }],
      ['DELETE', address],
      ['POST', `${address}/@workflow/publish`, {}],
      ['GET', `${path}/@comments/none`],
    ] as const) {
      expect([method, target, await status(method, target, ann, json)]).toEqual([method, target, 403]);
      expect([method, target, await status(method, target, 'anonymous', json)]).toEqual([method, target, 401]);
    }
    expect(await texts(path)).toEqual([1, 'While public']);
  });

  it('callers without the permission to view comments see neither comments nor their number', async () => {
    const path = await page();
    const ann = await person();
    const address = await comment(path, 'Between us', ann);
    await permit('View comments', ['Manager']);
    try {
      expect(await list(path, ann)).toMatchObject({
        items: [],
        items_total: 0,
        permissions: { view_comments: false, can_reply: true },
      });
      expect(await status('GET', address, ann)).toBe(403);
      expect(await status('GET', `${path}/@comments/none`, ann)).toBe(403);
      expect(await status('PATCH', address, ann, { text: 'x' })).toBe(403);
      expect(await status('POST', address, ann, { text: 'x' })).toBe(403);
    } finally {
      await permit('View comments', ['Anonymous']);
    }
  });

  it('the permission to reply is checked before the body', async () => {
    const path = await page();
    const [ann, address] = [await person(), await comment(path, 'Here')];
    await permit('Reply to item', ['Manager']);
    try {
      for (const target of [`${path}/@comments`, address]) expect(await status('POST', target, ann, {})).toBe(403);
      expect(await list(path, ann)).toMatchObject({ permissions: { view_comments: true, can_reply: false } });
    } finally {
      await permit('Reply to item', ['Authenticated']);
    }
  });

  describe('concurrent writes to comments', () => {
    it('no reply survives the concurrent deletion of its comment, and no request fails', async () => {
      const path = await page();
      for (let round = 0; round < 5; round += 1) {
        const address = await comment(path, `Round ${round}`);
        const replies = Array.from({ length: 4 }, (_, n) => status('POST', address, 'admin', { text: `Reply ${n}` }));
        const responses = await Promise.all([...replies, status('DELETE', address), status('DELETE', address)]);
        expect(responses.filter((response) => ![204, 404].includes(response))).toEqual([]);
        expect(await texts(path)).toEqual([0]);
      }
    });

    it('an author cannot delete a comment that gets a reply at the same time', async () => {
      const path = await page();
      const [ann, bob] = [await person(), await person()];
      for (let round = 0; round < 5; round += 1) {
        const address = await comment(path, `Round ${round}`, ann);
        const [reply, removed] = await Promise.all([
          status('POST', address, bob, { text: 'Reply' }),
          status('DELETE', address, ann),
        ]);
        expect([reply, removed]).toEqual(removed === 204 ? [404, 204] : [204, 403]);
      }
    });
  });
});
