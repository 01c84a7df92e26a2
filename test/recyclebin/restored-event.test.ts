import { beforeEach, expect, it } from 'vitest';
import type { ContentEvents } from '../../src/core/journal/events.ts';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { useTestSite } from '../support/use-site.ts';
import { binOf } from './recyclebin-site.ts';

describeEachEngine('the event content.restored', (engine) => {
  const site = useTestSite(engine);
  const { add, remove, restore, status, rows, list } = binOf(() => site);
  const told: { event: ContentEvents['content.restored']; indexed: number }[] = [];
  const later: ContentEvents['content.restored'][] = [];
  let refusal: Error | undefined;

  beforeEach(() => {
    told.length = 0;
    later.length = 0;
    refusal = undefined;
  });

  it('subscribers of content.restored run once in the transaction, with the catalog up to date, and once after the commit', async () => {
    const { events } = site.kernel;
    events.on('content.restored', async (event, { tx, caller }) => {
      expect(caller.id).toBe('admin');
      const text = 'select from content c join catalog k using (oid) where c.oid = $1 and c.path = $2';
      told.push({ event, indexed: (await tx.query({ text, values: [event.oid, event.to] })).length });
      if (refusal) throw refusal;
    });
    events.afterCommit('content.restored', (event) => void later.push(event));
    const folder = await add('/', 'Folder', { id: 'folder' });
    await add(folder.path, PAGE, { id: 'page' });
    const [{ oid }] = await rows('select oid from content where uid = $1', [folder.UID]);
    const entry = await remove(folder);
    await add('/', 'Folder', { id: 'folder' });
    expect((await restore(entry)).status).toBe(200);
    const event = { oid, from: '/folder', to: '/folder-1' };
    expect(told).toMatchObject([{ event, indexed: 1 }]);
    expect(later).toMatchObject([event]);
  });

  it('content.restored is emitted for a part that is restored elsewhere', async () => {
    const folder = await add('/', 'Folder', { id: 'parts' });
    const page = await add(folder.path, PAGE, { id: 'part' });
    const target = await add('/', 'Folder', { id: 'target' });
    const entry = await remove(folder);
    const { status: answered, text } = await restore(entry, { target_path: target.path, restore_id: page.UID });
    expect(answered, text).toBe(200);
    expect(told.map(({ event: { from, to } }) => ({ from, to }))).toEqual([
      { from: '/parts/part', to: '/target/part' },
    ]);
  });

  it('a failing subscriber of content.restored rolls the restoration back', async () => {
    const page = await add('/', PAGE, { id: 'refused' });
    const entry = await remove(page);
    refusal = new Error('no');
    expect((await restore(entry)).status).toBe(500);
    expect(told).toHaveLength(1);
    expect(later).toEqual([]);
    expect(await status('/refused')).toBe(404);
    expect((await list()).items.map(({ path }: { path: string }) => path)).toContain('/refused');
  });
});
