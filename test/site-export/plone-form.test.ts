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
  /** Does something while the answer among the comments waits for review. */
  const withPendingAnswer = async <T>(work: () => Promise<T>): Promise<T> => {
    const set = (state: string) =>
      site.kernel.db.query({
        text: 'update comment set review_state = $1 where in_reply_to is not null',
        values: [state],
      });
    await set('pending');
    try {
      return await work();
    } finally {
      await set('published');
    }
  };
  const uidOf = async (path: string): Promise<string> => (await mustOf(site)('GET', path)).UID;

  beforeAll(async () => {
    site = await startTestSite(engine);
    other = await startTestSite(engine);
    await furnish(site);
    await site.kernel.db.query({ text: `insert into account (id, login) values ('robot', 'robot')` });
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
    });
    expect(groups.map(({ groupid }: { groupid: string }) => groupid)).toContain('staff');
  });

  it('each user has a password in a form of Plone that nobody has, and the hash stands where Plone does not look', async () => {
    const { members, canopy_passwords: own } = await json('principals.json');
    const passwords: string[] = members.map(({ password }: { password: string }) => password);
    expect(members.map(({ username }: { username: string }) => username)).toEqual(Object.keys(own).sort());
    expect(new Set(passwords).size).toBe(members.length);
    for (const password of passwords) expect(password).toMatch(/^\{SSHA\}[A-Za-z0-9+/]{36}$/);
    expect(own.eva).toMatch(/^\$argon2id\$/);
    expect(own.robot).toBe(null);
    expect(JSON.stringify(members)).not.toContain('argon2');
  });

  it('comments have numbers in the order in which they were written, and answers name them', async () => {
    const { items } = (await json('discussions.json'))[await uidOf('/news/a')];
    expect(items.map(({ text }: { text: { data: string } }) => text.data.trim())).toEqual(['One', 'An answer']);
    const [one, answer] = items;
    for (const { comment_id: id } of items) expect(id).toMatch(/^[1-9]\d{15}$/);
    expect(BigInt(answer.comment_id)).toBeGreaterThan(BigInt(one.comment_id));
    expect([one.in_reply_to, answer.in_reply_to]).toEqual([null, one.comment_id]);
  });

  it('comments that wait for review are left out, and the export says so', async () => {
    const { rows, lacks } = await withPendingAnswer(async () => {
      const second = await folders.fresh();
      const { ploneLacks } = await exportInto(site.kernel, second);
      const { items } = JSON.parse(await readFile(join(second, 'discussions.json'), 'utf8'))[await uidOf('/news/a')];
      return { rows: items.length, lacks: ploneLacks };
    });
    expect(rows).toBe(1);
    expect(lacks).toEqual({ users: 3, withoutEmail: 2, comments: 1 });
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
    const comments = async (one: TestSite) =>
      one.kernel.db.query({ text: 'select id, in_reply_to, body from comment order by created' });
    expect(await comments(other)).toEqual(await comments(site));
    const passwords = async (one: TestSite) =>
      one.kernel.db.query({ text: `select id, password from account where id <> 'admin' order by id` });
    expect(await passwords(other)).toEqual(await passwords(site));
  });
});
