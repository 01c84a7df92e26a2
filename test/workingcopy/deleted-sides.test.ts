import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { workingCopyIds } from '../support/profiles.ts';
import type { Json } from '../support/site.ts';
import { startWorkingCopySite, type WorkingCopySite } from './working-copy-site.ts';

describeEachEngine('working copies: check-outs of which a side is deleted', (engine) => {
  let site: WorkingCopySite;
  beforeAll(async () => {
    site = await startWorkingCopySite(engine);
  });
  afterAll(() => site?.close());

  const restore = async (path: string) => {
    const { items } = (await site.request('GET', `/@recyclebin?path=${encodeURIComponent(path)}`)).body;
    const { recycle_id: id } = items.find((entry: Json) => entry.path === path);
    const { status, body } = await site.request('POST', `/@recyclebin/${id}/restore`, { json: {} });
    expect([status, body]).toEqual([200, body]);
  };
  const remove = async (path: string) => expect((await site.request('DELETE', path)).status).toBe(204);

  it('the original is unlocked when the copy is deleted, and stays so when the copy is restored', async () => {
    const path = await site.page('/', 'by-hand');
    const copy = await site.checkOut(path);
    await remove(copy);
    await site.expectFree(path);
    await restore(copy);
    await site.expectFree(copy);
    await site.expectFree(path);
    // The original can be checked out again.
    expect(await site.checkOut(path)).toBe(`/${workingCopyIds('by-hand')[1]}`);
  });

  it('the original is unlocked when the copy is deleted with its folder', async () => {
    const path = await site.page('/', 'with-folder');
    const away = await site.add('/', 'away');
    await site.move(away, await site.checkOut(path));
    await remove(away);
    await site.expectFree(path);
  });

  it('the copy becomes ordinary content when the original is deleted with its folder', async () => {
    const folder = await site.add('/', 'gone');
    const copy = await site.checkOut(await site.page(folder, 'page'));
    await site.move('/', copy);
    await remove(folder);
    await site.expectFree(`/${workingCopyIds('page')[0]}`);
    await restore(folder);
    await site.expectFree(`${folder}/page`);
  });

  it('original and copy that were deleted together are restored with their link', async () => {
    const folder = await site.add('/', 'together');
    const path = await site.page(folder, 'page');
    const copy = await site.checkOut(path);
    const lock = await site.lockOf(path);
    await remove(folder);
    await restore(folder);
    expect(await site.lockOf(path)).toEqual(lock);
    await site.patch(copy, { title: 'Survived' });
    expect((await site.working('PATCH', copy)).status).toBe(204);
    expect((await site.read(path)).title).toBe('Survived');
  });

  it('the copy of a cancelled check-out can be restored from the recycle bin', async () => {
    const path = await site.page('/', 'regret');
    const copy = await site.checkOut(path);
    await site.patch(copy, { title: 'Worth keeping' });
    expect((await site.working('DELETE', path)).status).toBe(204);
    await restore(copy);
    expect((await site.read(copy)).title).toBe('Worth keeping');
    await site.expectFree(path);
  });
});
