import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
import { checkCommand } from '../../src/app/commands/check.ts';
import { blobPath } from '../../src/core/files/blobs/blob-store.ts';
import { describeEachEngine } from '../support/database.ts';
import { runCommandOn } from '../support/run-canopy.ts';
import type { Json } from '../support/site.ts';
import { useTestSite } from '../support/use-site.ts';

const TEXT = 'The bytes of a file.';
const HASH = createHash('sha256').update(TEXT).digest('hex');

describeEachEngine('canopy check', (engine) => {
  const site = useTestSite(engine);
  const sql = (text: string, values: unknown[] = []) => site.kernel.db.query<Json>({ text, values, reads: false });
  const get = (path: string) => site.request('GET', path);
  async function must(method: string, path: string, json?: Json): Promise<Json> {
    const { status, text, body } = await site.request(method, path, json === undefined ? {} : { json });
    if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return body;
  }
  const page = (container: string, id: string, more: Json = {}) =>
    must('POST', container, { '@type': 'Page', id, title: id, ...more });

  /** Runs the command, and returns what it found: by kind the addresses. */
  async function check(...options: ('repair' | 'tree' | 'index' | 'files' | 'versions' | 'bin' | 'working-copies')[]) {
    const only = options.filter((option) => option !== 'repair');
    const { code, out } = await runCommandOn(site.kernel, checkCommand, {
      options: { json: true, repair: options.includes('repair'), ...(only.length > 0 ? { only } : {}) },
    });
    const { kinds, found, repaired } = JSON.parse(out);
    expect(code).toBe(found > 0 ? 3 : 0);
    const addresses = Object.fromEntries(
      kinds.map(({ kind, listed }: Json) => [kind, listed.map(({ address }: Json) => address)]),
    );
    return { addresses, found, repaired, kinds };
  }

  beforeAll(async () => {
    await must('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await page('/news', 'a');
    await page('/news', 'b', { description: 'Rare words' });
    await must('POST', '/news', {
      ...{ '@type': 'File', id: 'paper', title: 'Paper' },
      file: { data: TEXT, encoding: 'utf-8', filename: 'paper.txt', 'content-type': 'text/plain' },
    });
    const { UID } = await must('GET', '/news/b');
    await must('PATCH', '/news/a', { title: 'A', relatedItems: [UID] }).catch(() => undefined);
    await must('PATCH', '/news/a', { title: 'The letter A' });
    await must('PATCH', '/news/a', { title: 'The letter A again' });
    await page('/news', 'gone');
    await must('DELETE', '/news/gone');
    await must('POST', '/news/b/@workingcopy', {});
  });

  it('a sound site has no findings, with every kind of content on it', async () => {
    expect((await check()).addresses).toEqual({});
  });

  it('a wrong path is found and mended with what is below it, and the other address redirects', async () => {
    await sql(`update content set path = '/old' || substr(path, 6) where path = '/news' or path like '/news/%'`);
    expect((await check('tree')).addresses).toEqual({ 'tree-path': ['/old'] });
    expect(await check('tree', 'repair')).toMatchObject({ found: 1, repaired: 1 });
    expect([(await get('/news/a')).status, (await get('/news')).status]).toEqual([200, 200]);
    expect((await sql(`select path from redirect where path = '/old/a'`)).length).toBe(1);
    expect((await check()).found).toBe(0);
  });

  it('a path that something else has is left and said', async () => {
    await page('/', 'taken');
    await page('/', 'other');
    const exchange = async () => {
      await sql(`update content set path = '/elsewhere' where path = '/taken'`);
      await sql(`update content set path = '/taken' where path = '/other'`);
      await sql(`update content set path = '/other' where path = '/elsewhere'`);
    };
    await exchange();
    const { kinds, found, repaired } = await check('tree', 'repair');
    expect([found, repaired]).toEqual([2, 0]);
    const reason = 'The address of its place is taken. Rename or move one of the two.';
    expect(kinds[0].listed.map((one: Json) => one.reason)).toEqual([reason, reason]);
    await exchange();
    expect((await check('tree')).found).toBe(0);
    expect([(await get('/taken')).body.title, (await get('/other')).body.title]).toEqual(['taken', 'other']);
  });

  it('containers that lie in each other come back to where they were', async () => {
    await must('POST', '/news', { '@type': 'Folder', id: 'outer', title: 'Outer' });
    await must('POST', '/news/outer', { '@type': 'Folder', id: 'inner', title: 'Inner' });
    await sql(
      `update content set parent = (select oid from content where path = '/news/outer/inner') where path = '/news/outer'`,
    );
    expect((await check('tree')).addresses).toEqual({ 'tree-circle': ['/news/outer'] });
    expect(await check('tree', 'repair')).toMatchObject({ found: 1, repaired: 1 });
    expect((await must('GET', '/news')).items.map(({ title }: Json) => title)).toContain('Outer');
    expect((await check()).found).toBe(0);
  });

  it('content without a place in the order gets one', async () => {
    await sql(`update content set position = 'NaN' where path = '/news/a'`);
    expect((await check('tree')).addresses).toEqual({ 'tree-position': ['/news/a'] });
    await check('tree', 'repair');
    expect((await check()).found).toBe(0);
    const items = (await must('GET', '/news')).items.map(({ title }: Json) => title);
    expect(items.at(-1)).toBe('The letter A again');
  });

  it('content of an unknown type is said, and nothing is done to it', async () => {
    await sql(`update content set type = 'Nothing' where path = '/taken'`);
    const { addresses, repaired } = await check('tree', 'repair');
    expect([addresses, repaired]).toEqual([{ 'tree-type': ['/taken'] }, 0]);
    await sql(`update content set type = 'Page' where path = '/taken'`);
  });

  it('an old address that content has again is forgotten', async () => {
    await sql(`insert into redirect (path, target_url) values ('/news/a', 'https://example.org')`);
    expect((await check('tree', 'repair')).addresses).toEqual({ 'old-address': ['/news/a'] });
    expect((await check()).found).toBe(0);
  });

  it('a catalog that lacks rows or has others is found by what is wrong, and written again', async () => {
    const found = async () => (await must('GET', '/@search?SearchableText=Rare')).items_total;
    const before = await found();
    expect(before).toBeGreaterThan(0);
    await sql(`delete from catalog where oid = (select oid from content where path = '/news/a')`);
    await sql(`update catalog set searchable = '' where oid = (select oid from content where path = '/news/b')`);
    await sql(
      `update catalog set allowed = '{role:Anonymous}' where oid = (select oid from content where path = '/news/paper')`,
    );
    await sql(`delete from catalog_value where oid = (select oid from content where path = '/news')`);
    const { addresses } = await check('index');
    expect(addresses).toMatchObject({
      'catalog-missing': ['/news/a'],
      viewers: ['/news/paper'],
      'catalog-values': expect.arrayContaining(['/news/b']),
    });
    await check('index', 'repair');
    expect((await check()).found).toBe(0);
    expect(await found()).toBe(before);
  });

  it('references that differ from the content are noted again', async () => {
    const { UID } = await must('GET', '/news/b');
    await sql(
      `insert into reference (source, relation, position, target)
      select oid, 'isReferencing', 99, $1 from content where path = '/taken'`,
      [UID],
    );
    expect((await check('index')).addresses).toEqual({ references: ['/taken'] });
    await check('index', 'repair');
    expect((await check('index')).found).toBe(0);
  });

  it('files that are missing, cut or set aside are found, and those that nothing refers to are set aside', async () => {
    const { blobs } = site.kernel;
    await sql(`update content set fields = jsonb_set(fields, '{file,size}', '3') where path = '/news/paper'`);
    expect((await check('files')).addresses).toMatchObject({ 'file-size': expect.arrayContaining(['/news/paper']) });
    await sql(`update content set fields = jsonb_set(fields, '{file,size}', $1) where path = '/news/paper'`, [
      String(TEXT.length),
    ]);
    expect((await check('files')).found).toBe(0);

    expect(await blobs.setAside(HASH, new Date(Date.now() + 60_000))).toBe(true);
    expect((await check('files', 'repair')).addresses).toEqual({ 'file-aside': [HASH] });
    expect((await check('files')).found).toBe(0);

    const { hash } = await blobs.put(Buffer.from('Nothing refers to this.'));
    expect((await check('files')).found).toBe(0);
    const old = new Date(Date.now() - 48 * 60 * 60_000);
    await utimes(`${site.kernel.config.dataDir}/blobs/${blobPath(hash)}`, old, old);
    expect((await check('files', 'repair')).addresses).toEqual({ 'file-orphaned': [hash] });
    expect((await check('files')).found).toBe(0);
    expect(await blobs.size(hash)).toBeDefined();

    await blobs.remove(HASH);
    const { addresses, repaired } = await check('files', 'repair');
    expect(addresses).toEqual({ 'file-missing': expect.arrayContaining(['/news/paper']) });
    expect(repaired).toBe(0);
    await blobs.put(Buffer.from(TEXT));
    expect((await check('files')).found).toBe(0);
  });

  it('versions with a gap or without values are found; those without values can be shown again', async () => {
    await sql(
      `update version set replaced = 'null' where content = (select oid from content where path = '/news/a') and number = 0`,
    );
    expect((await check('versions', 'repair')).addresses).toEqual({ 'version-values': ['/news/a'] });
    expect((await get('/news/a/@history')).status).toBe(200);
    await sql(`delete from version where content = (select oid from content where path = '/news/a') and number = 1`);
    expect((await check('versions', 'repair')).addresses).toEqual({ 'version-gap': ['/news/a'] });
    await sql(`delete from version where content = (select oid from content where path = '/news/a') and number = 0`);
    expect((await check()).found).toBe(0);
  });

  it('entries of the recycle bin with wrong counts are corrected, and empty ones go', async () => {
    await sql('update recycled set objects = 7');
    expect((await check('bin', 'repair')).addresses).toEqual({ 'bin-count': ['/news/gone'] });
    expect((await sql('select objects from recycled')).map(({ objects }) => objects)).toEqual([1]);
    await sql(`insert into recycled_row (entry, oid, source, data) select id, 999999, 'version', '{}' from recycled`);
    expect((await check('bin')).addresses).toEqual({ 'bin-strays': ['/news/gone'] });
    await sql(`update recycled set oid = oid + 100000`);
    expect((await check('bin')).addresses).toEqual({ 'bin-top': ['/news/gone'], 'bin-strays': ['/news/gone'] });
    await sql('delete from recycled_object');
    expect((await check('bin', 'repair')).addresses).toEqual({ 'bin-empty': ['/news/gone'] });
    expect(await sql('select id from recycled')).toEqual([]);
    expect((await check()).found).toBe(0);
  });

  it('checked out content without a lock that holds is locked again', async () => {
    const change = () => site.request('PATCH', '/news/b', { json: { title: 'x' } });
    await sql(`update working_copy set lock = '{"name": "x", "created": "never"}'`);
    expect((await check('working-copies', 'repair')).addresses).toEqual({ 'working-copy-lock': ['/news/b'] });
    expect((await change()).status).toBe(403);
    expect((await check()).found).toBe(0);
  });

  it('an unknown check is wrong use', async () => {
    await expect(runCommandOn(site.kernel, checkCommand, { options: { only: ['trees'] } })).rejects.toThrow(
      'There is no check "trees". Checks: tree, index, files',
    );
  });
});
