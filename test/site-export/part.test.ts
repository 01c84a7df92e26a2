import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachEngine } from '../support/database.ts';
import { PAGE } from '../support/profiles.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { exportInto, importFrom, keepFolders } from './folders.ts';
import { furnish, mustOf } from './furnish.ts';

describeEachEngine('a part of a site', (engine) => {
  let site: TestSite;
  let other: TestSite;
  let folder: string;
  const folders = keepFolders();

  beforeAll(async () => {
    site = await startTestSite(engine);
    other = await startTestSite(engine);
    await furnish(site);
    const must = mustOf(site);
    await must('POST', '/news', { '@type': 'Recipe', id: 'soup', title: 'Soup' });
    await must('POST', '/news', { '@type': PAGE, id: 'b', title: 'B', relatedItems: ['/news/paper', '/'] });
    folder = await folders.fresh();
    await exportInto(site.kernel, folder, { path: '/news/' });
  });
  afterAll(async () => {
    await folders.remove();
    await site?.close();
    await other?.close();
  });

  it('it comes back at its old place on another site, with its versions, comments, files, states and order', async () => {
    const imported = await importFrom(other.kernel, folder);
    expect(imported).toMatchObject({ path: '/news', objects: 7, kept: true });
    expect(imported.added).toEqual(['Added: type Recipe, which the site did not have.']);
    expect(imported.left).toEqual([
      '1 of 1 rows of content_rule_assignment are left out: what they refer to is not here, or their key is taken.',
    ]);
    const [before, after] = [mustOf(site), mustOf(other)];
    const shown = async (must: typeof before, address: string, path: string) =>
      JSON.parse(JSON.stringify(await must('GET', path)).replaceAll(address, ''));
    for (const path of ['/news/paper', '/news/soup', '/news/a/@comments', '/news/a/@history', '/news/paper/@history/0'])
      expect(await shown(after, other.url, path), path).toEqual(await shown(before, site.url, path));
    const children = async (must: typeof before) =>
      (await must('GET', '/news')).items.map(({ id }: { id: string }) => id);
    expect(await children(after)).toEqual(await children(before));
    const { body } = await other.request('GET', '/news/a', { as: 'anonymous' });
    expect(body.title).toBe('First, edited');
    expect((await after('GET', '/news/b')).relatedItems.map(({ '@id': id }: { '@id': string }) => id)).toEqual([
      `${other.url}/news/paper`,
    ]);
    expect((await other.request('GET', '/news/paper/@@download/file')).text).toBe('new bytes');
    expect((await other.request('GET', '/old/address')).headers.get('location')).toBe(`${other.url}/news/a`);
    const found = async (must: typeof before) => (await must('GET', '/news/@search?SearchableText=edited')).items_total;
    expect(await found(after)).toBe(await found(before));
  });

  it('it cannot come twice, nor where no folder is, and says what to do', async () => {
    await expect(importFrom(other.kernel, folder)).rejects.toThrow(
      'There is content at /news already. Remove it, or name another folder with --path.',
    );
    await mustOf(other)('POST', '/', { '@type': 'Folder', id: 'archive', title: 'Archive' });
    await expect(importFrom(other.kernel, folder, { path: '/archive' })).rejects.toThrow(
      /is on the site already: \/news/,
    );
    await expect(importFrom(other.kernel, folder, { path: '/nowhere' })).rejects.toThrow(
      'There is nothing at /nowhere.',
    );
    await expect(importFrom(other.kernel, folder, { path: '/news/paper' })).rejects.toThrow('takes no content');
    await expect(importFrom(other.kernel, folder, { replace: true })).rejects.toThrow(
      '--replace is for exports of a whole site',
    );
  });

  it('it comes into another folder, and its old addresses lead there', async () => {
    await mustOf(other)('DELETE', '/news');
    const imported = await importFrom(other.kernel, folder, { path: 'archive' });
    expect(imported.path).toBe('/archive/news');
    expect((await other.request('GET', '/archive/news/paper/@@download/file')).text).toBe('new bytes');
    expect((await other.request('GET', '/old/address')).headers.get('location')).toBe(`${other.url}/archive/news/a`);
    const { items } = await mustOf(other)('GET', '/archive/news/a/@comments');
    expect(items.map(({ in_reply_to }: { in_reply_to: string | null }) => in_reply_to === null)).toEqual([true, false]);
  });

  it('a dry run and a strict one leave the site as it is', async () => {
    await mustOf(other)('DELETE', '/archive/news');
    expect(await importFrom(other.kernel, folder, { dryRun: true })).toMatchObject({ kept: false, objects: 7 });
    expect(await importFrom(other.kernel, folder, { strict: true })).toMatchObject({ kept: false });
    expect((await other.request('GET', '/news')).status).toBe(404);
  });

  it('a whole site does not come over one that is in use', async () => {
    const whole = await folders.fresh();
    await exportInto(site.kernel, whole);
    await expect(importFrom(other.kernel, whole)).rejects.toThrow('The site is in use');
    await expect(importFrom(other.kernel, whole, { path: '/x' })).rejects.toThrow('--path is for exports of a part');
  });

  it('an export that was changed or cut is refused whole', async () => {
    const broken = await folders.fresh();
    await exportInto(site.kernel, broken, { path: '/news' });
    const table = join(broken, 'canopy/tables/version.jsonl');
    const lines = (await readFile(table, 'utf8')).trim().split('\n');
    await writeFile(table, lines.slice(1).join('\n'));
    await expect(importFrom(other.kernel, broken)).rejects.toThrow(/version.jsonl has \d+ rows, and had \d+/);
    expect((await other.request('GET', '/news')).status).toBe(404);
    await writeFile(table, `${lines.join('\n')}\n`);
    const [line = ''] = (await readFile(join(broken, 'canopy/blobs.jsonl'), 'utf8')).split('\n');
    const { file } = JSON.parse(line);
    await writeFile(join(broken, file), 'something else');
    await expect(importFrom(other.kernel, broken)).rejects.toThrow('was changed since the export');
    await rm(join(broken, 'canopy/manifest.json'));
    await expect(importFrom(other.kernel, broken)).rejects.toThrow('is not whole');
  });
});
