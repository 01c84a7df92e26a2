import { afterAll, beforeAll, expect, it } from 'vitest';
import { binOf } from '../recyclebin/recyclebin-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';

describeEachEngine('content that came back from the recycle bin', (engine) => {
  let site: TestSite;
  const { add, remove, restore, read, request } = binOf(() => site);
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const idsIn = async (path: string) => (await read(path)).items.map(({ id }: Json) => id);

  it('content restored to a taken place keeps its order in a copy of the container', async () => {
    const folder = await add('/', 'Folder');
    const entry = await remove(await add(folder.path, 'Page', { id: 'a' }));
    await add(folder.path, 'Page', { id: 'b' });
    await restore(entry);
    const { body } = await request('POST', '/@copy', { json: { source: folder.path } });
    expect(await idsIn(folder.path)).toEqual(['a', 'b']);
    expect(await idsIn(new URL(body[0].target).pathname)).toEqual(['a', 'b']);
  });

  it('a working copy and its original that are restored one by one no longer belong together', async () => {
    const folder = await add('/', 'Folder');
    const page = await add(folder.path, 'Page', { id: 'prices' });
    const { body } = await request('POST', `${page.path}/@workingcopy`);
    const copy = await read(new URL(body['@id']).pathname);
    const entry = await remove(folder);
    await restore(entry, { restore_id: copy.UID, target_path: '/' });
    await restore(entry);
    expect(await read(page.path)).toMatchObject({ working_copy: null, lock: { locked: false } });
    expect(await read(`/${copy.id}`)).toMatchObject({ working_copy_of: null });
  });
});
