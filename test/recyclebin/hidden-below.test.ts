import { expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';
import { binOf } from './recyclebin-site.ts';

describeEachEngine('deleted content that its deleter could not view', (engine) => {
  const site = useTestSite(engine);
  const { add, user, list, remove, restore, read, status, request, rows } = binOf(() => site);

  /** A folder with a page that its user may view, and one with a page below it that the user may not. */
  async function hiding() {
    const own = await add('/', 'Folder');
    const eva = await user(own.path, { Reader: true, Contributor: true, Editor: true });
    const bin = await add(own.path, 'Folder', { title: 'Bin' }, eva);
    const shown = await add(bin.path, 'Page', { title: 'Shown' }, eva);
    const hidden = await add(bin.path, 'Folder', { title: 'Hidden' });
    const below = await add(hidden.path, 'Page', { title: 'Below' });
    expect((await request('POST', `${hidden.path}/@sharing`, { json: { inherit: false } })).status).toBe(204);
    expect(await status(hidden.path, eva)).toBe(403);
    return { own, eva, bin, shown, hidden, below };
  }
  const idsOf = (entry: Json) => entry.items.map(({ path }: Json) => path);

  it('the entry lists and counts what its deleter could view, and everything for managers', async () => {
    const { eva, bin, shown, hidden, below } = await hiding();
    const entry = await remove(bin, eva);
    expect(entry).toMatchObject({ items_count: 1, has_children: true });
    const path = `/@recyclebin/${entry.recycle_id}`;
    const seen = await read(path, eva);
    expect(idsOf(seen)).toEqual([shown.path]);
    expect(seen).toMatchObject({ items_total: 1, items_count: 1 });
    expect(JSON.stringify(seen)).not.toMatch(/Hidden|Below/);
    expect((await list('?has_subitems=true&sort_on=size', eva)).items[0]).toMatchObject({ items_count: 1 });
    const all = await read(path);
    expect(idsOf(all)).toEqual([hidden.path, below.path, shown.path].sort());
    expect(all).toMatchObject({ items_total: 3, items_count: 3 });
  });

  it('an object that is hidden in an entry cannot be restored alone, and comes back hidden with the rest', async () => {
    const { own, eva, bin, hidden, below } = await hiding();
    const entry = await remove(bin, eva);
    const unknown = { target_path: own.path, restore_id: '0123456789abcdef0123456789abcdef' };
    const answers = [unknown, { ...unknown, restore_id: hidden.UID }, { ...unknown, restore_id: below.UID }];
    for (const json of answers) {
      const { status: refused, text } = await restore(entry, json, eva);
      expect(refused).toBe(400);
      expect(text.replaceAll(json.restore_id, '')).toContain('There is nothing with the restore_id');
    }
    expect((await restore(entry, {}, eva)).status).toBe(200);
    expect(await status(hidden.path, eva)).toBe(403);
    expect((await read(below.path)).title).toBe('Below');
  });

  it('of entries without the viewers of what was below, as older versions made them, managers alone see more', async () => {
    const { eva, bin } = await hiding();
    const entry = await remove(bin, eva);
    await rows('update recycled_object set viewers = null');
    const path = `/@recyclebin/${entry.recycle_id}`;
    expect(await read(path, eva)).toMatchObject({ title: 'Bin', items: [], items_total: 0, items_count: 0 });
    expect((await read(path)).items_total).toBe(3);
    expect((await restore(entry, {}, eva)).status).toBe(200);
  });
});
