import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importSite } from '../../src/features/import/import-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { exportInto, filesIn, keepFolders, quiet } from './folders.ts';
import { furnish, mustOf, ODD_NAME } from './furnish.ts';

describeEachEngine('the files of plone.exportimport in an export', (engine) => {
  let site: TestSite;
  let other: TestSite;
  let folder: string;
  const folders = keepFolders();
  const json = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const uidOf = async (path: string): Promise<string> => (await mustOf(site)('GET', path)).UID;

  beforeAll(async () => {
    site = await startTestSite(engine);
    other = await startTestSite(engine);
    await furnish(site);
    folder = await folders.fresh();
    await exportInto(site.kernel, folder);
  });
  afterAll(async () => {
    await folders.remove();
    await site?.close();
    await other?.close();
  });

  it('objects, people, comments, relations, redirects and translations stand where that exporter writes them', async () => {
    const [a, paper] = [await uidOf('/news/a'), await uidOf('/news/paper')];
    expect(await json(`content/${a}/data.json`)).toMatchObject({
      '@id': '/news/a',
      '@type': 'Document',
      UID: a,
      id: 'a',
      title: 'First, edited',
      review_state: 'published',
      parent: { '@id': '/news', '@type': 'Folder' },
      'exportimport.versions': { 0: { title: 'First' } },
    });
    const item = await json(`content/${paper}/data.json`);
    expect(item.file.filename).toBe(ODD_NAME);
    expect(await readFile(join(folder, 'content', item.file.blob_path), 'utf8')).toBe('new bytes');
    const metadata = await json('content/__metadata__.json');
    expect(metadata._data_files_).toContain(`${a}/data.json`);
    expect(metadata.local_roles[await uidOf('/news')]).toEqual({
      local_roles: { admin: ['Owner'], staff: ['Reader'] },
      block: 1,
    });
    expect(metadata.ordering[paper]).toBe(1);
    expect(await json('relations.json')).toContainEqual({
      from_uuid: a,
      to_uuid: paper,
      relationship: 'relatedItems',
      from_attribute: 'relatedItems',
    });
    expect(await json('redirects.json')).toEqual({ '/Plone/old/address': '/Plone/news/a' });
    const { members, groups } = await json('principals.json');
    expect(members.find(({ username }: { username: string }) => username === 'eva')).toMatchObject({
      fullname: 'Eva Å',
      groups: ['staff'],
      password: expect.stringMatching(/^\$argon2id\$/),
    });
    expect(groups.map(({ groupid }: { groupid: string }) => groupid)).toContain('staff');
    expect((await json('discussions.json'))[a].items).toHaveLength(2);
  });

  it('no secret is in the export in clear, and nobody else may read it', async () => {
    const files = Object.values(await filesIn(folder));
    for (const secret of ['very secret', '"1234"']) expect(files.filter((text) => text.includes(secret))).toEqual([]);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'principals.json'))).mode & 0o777).toBe(0o600);
  });

  it('they alone bring the content back with its versions, as an export of Plone does', async () => {
    const summary = await importSite(other.kernel, { directory: folder, progress: quiet });
    expect(summary.objects).toMatchObject({ failed: 0, skipped: 0 });
    const [before, after] = [mustOf(site), mustOf(other)];
    for (const path of ['/news/a', '/news/paper', '/news/dot']) {
      const [old, now] = [await before('GET', path), await after('GET', path)];
      for (const key of ['UID', 'title', 'created', 'modified', 'review_state', 'creators', 'blocks'])
        expect(now[key], `${path} ${key}`).toEqual(old[key]);
    }
    expect((await other.request('GET', '/news/paper/@@download/file')).text).toBe('new bytes');
    const versions = async (must: typeof before, path: string) =>
      (await must('GET', `${path}/@history`))
        .filter(({ type }: { type: string }) => type === 'versioning')
        .map(({ version, comments, actor }: { version: number; comments: string; actor: { id: string } }) => [
          version,
          comments,
          actor.id,
        ]);
    expect(await versions(after, '/news/a')).toEqual(await versions(before, '/news/a'));
    expect((await after('GET', '/news/a/@history/0')).title).toBe('First');
  });
});
