import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { make } from '../../content/make.ts';
import { describeEachEngine } from '../../support/database.ts';
import { type Json, startTestSite, type TestSite } from '../../support/site.ts';
import { add, edit, exported, oldSite } from '../again/old-site.ts';
import { importUploaded, leftOvers, ownExport, tarOfFolder, upload, useTemporaryFolder, zipOf } from './archives.ts';

const WORDPRESS = fileURLToPath(new URL('../../fixtures/imports/wordpress/site.xml', import.meta.url));

/** A site with a folder and two pages, with names that no other test has. */
function smallSite(mark: string) {
  const site = oldSite();
  add(site, { uid: mark, type: 'Folder', title: `Folder ${mark}` });
  for (const page of ['a', 'b']) add(site, { uid: `${mark}-${page}`, id: page, in: mark, title: `Page ${page}` });
  return site;
}

const countOf = (body: Json, name: string) => body.report.counts.find((one: Json) => one.name === name);

useTemporaryFolder();

describeEachEngine('@imports', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const get = async (path: string) => (await site.request('GET', path)).body;

  it('An uploaded .zip is tried, imported and tidied away, with a report.', async () => {
    const before = await leftOvers(site);
    const old = smallSite('zipped');
    add(old, { uid: 'odd', in: 'zipped', type: 'Odd Thing', state_of_mind: 'merry' });
    const sent = await upload(site, 'old site.zip', await zipOf(await exported(old)));
    expect(sent.status, sent.text).toBe(201);
    expect(sent.body).toMatchObject({
      ...{ filename: 'old site.zip', kind: 'zip', actor: 'admin', stored: true, job: null, report: null },
    });
    expect(sent.headers.get('location')).toBe(sent.body['@id']);
    const { id } = sent.body;
    const tried = await importUploaded(site, id, { dry_run: true });
    expect(tried).toMatchObject({
      stored: true,
      job: { status: 'completed' },
      report: { dry_run: true, refused: false },
    });
    expect(countOf(tried, 'objects')).toEqual({ name: 'objects', created: 4, skipped: 0, failed: 0 });
    expect((await site.request('GET', '/zipped')).status).toBe(404);
    const done = await importUploaded(site, id);
    expect(done).toMatchObject({
      stored: false,
      job: { status: 'completed', error: null },
      report: { dry_run: false },
    });
    expect(countOf(done, 'objects').created).toBe(4);
    expect(done.job.progress.done).toBeGreaterThan(0);
    expect((await get('/zipped/a')).title).toBe('Page a');
    const lines = await get(`/@imports/${id}/lines?effect=added`);
    expect(lines.items_total).toBeGreaterThan(0);
    expect(lines.items[0]).toMatchObject({ effect: 'added', reason: 'added' });
    const sum = done.report.reasons.reduce((count: number, one: Json) => count + one.count, 0);
    expect((await get(`/@imports/${id}/lines`)).items_total).toBe(sum);
    expect(await leftOvers(site)).toEqual(before);
    const audit = await get('/@audit-log?b_size=20');
    expect(
      audit.items.filter((one: Json) => one.what === 'import' || JSON.stringify(one).includes('old site.zip')).length,
    ).toBeGreaterThan(2);
  });

  it('A folder at the top of an archive, a .tar.gz, a single .json and an export of WordPress are taken.', async () => {
    const inFolder = await upload(site, 'a.zip', await zipOf(await exported(smallSite('topped')), 'backup/'));
    expect((await importUploaded(site, inFolder.body.id)).job.error).toBeNull();
    expect((await get('/topped/b')).title).toBe('Page b');
    const tar = await upload(site, 'a.tar.gz', await tarOfFolder(await exported(smallSite('tarred'))));
    expect((await importUploaded(site, tar.body.id)).job.error).toBeNull();
    expect((await get('/tarred/b')).title).toBe('Page b');
    const json = JSON.stringify([...smallSite('jsoned').objects.values()]);
    const single = await upload(site, 'Plone.json', json);
    expect((await importUploaded(site, single.body.id)).job.error).toBeNull();
    expect((await get('/jsoned/b')).title).toBe('Page b');
    const wordpress = await upload(site, 'blog.xml', await readFile(WORDPRESS));
    const done = await importUploaded(site, wordpress.body.id);
    expect(done).toMatchObject({ job: { error: null }, report: { format: expect.stringMatching(/wordpress/i) } });
    expect((await get('/about/team'))['@type']).toBe('Page');
  });

  it('A newer export is merged by the rule for conflicts, which are listed.', async () => {
    const old = smallSite('merged');
    const first = await upload(site, 'first.zip', await zipOf(await exported(old)));
    await importUploaded(site, first.body.id);
    await site.request('PATCH', '/merged/a', { json: { title: 'Ours' } });
    edit(old, 'merged-a', { title: 'Theirs' });
    edit(old, 'merged-b', { title: 'Newer' });
    const second = (await upload(site, 'second.zip', await zipOf(await exported(old)))).body.id;
    const stopped = await importUploaded(site, second, { again: true });
    expect(stopped).toMatchObject({
      stored: true,
      report: { refused: true, again: { conflicts: 'stop', counts: { conflicts: 1 } } },
    });
    expect((await get('/merged/b')).title).toBe('Page b');
    const conflicts = await get(`/@imports/${second}/lines?kind=conflict`);
    expect(conflicts.items).toMatchObject([
      { path: '/merged/a', part: 'title', here: 'Ours', there: 'Theirs', counts: null },
    ]);
    const done = await importUploaded(site, second, { again: true, conflicts: 'take' });
    expect(done).toMatchObject({ stored: false, report: { refused: false, again: { conflicts: 'take' } } });
    expect((await get('/merged/a')).title).toBe('Theirs');
    expect((await get('/merged/b')).title).toBe('Newer');
    const changes = await get(`/@imports/${second}/lines?kind=change&effect=changed`);
    expect(changes.items.map(({ path }: Json) => path).sort()).toEqual(['/merged/a', '/merged/b']);
    expect((await get(`/@imports/${second}/lines?kind=conflict&effect=there`)).items_total).toBe(1);
  });

  it('A part of a site of this server comes to another folder, and a wrong choice is a failed job that says why.', async () => {
    await make(site.kernel, '/', { '@type': 'Folder', id: 'part', title: 'A part' });
    await make(site.kernel, '/part', { id: 'inner', title: 'Inner' });
    await make(site.kernel, '/', { '@type': 'Folder', id: 'there' });
    const { id } = (await upload(site, 'part.zip', await ownExport(site, '/part'))).body;
    const wrong = await importUploaded(site, id, { again: true });
    expect(wrong.job).toMatchObject({
      status: 'failed',
      error: '"again" is for exports of other systems, and this one was made by this server.',
    });
    expect(wrong.stored).toBe(true);
    await site.request('DELETE', '/part');
    await site.request('DELETE', '/@recyclebin');
    const done = await importUploaded(site, id, { path: '/there' });
    expect(done, JSON.stringify(done.job)).toMatchObject({ report: { format: 'canopy', path: '/there/part' } });
    expect((await get('/there/part/inner')).title).toBe('Inner');
  });

  it('A whole site of this server comes into a new one, which serves it at once.', async () => {
    const fresh = await startTestSite(engine);
    onTestFinished(() => fresh.close());
    expect((await fresh.request('GET', '/there')).status).toBe(404);
    const { id } = (await upload(fresh, 'site.zip', await ownExport(site))).body;
    const done = await importUploaded(fresh, id);
    expect(done.job, JSON.stringify(done)).toMatchObject({ status: 'completed' });
    expect(done.report).toMatchObject({ format: 'canopy', path: '/', refused: false });
    expect((await fresh.request('GET', '/there/part/inner')).body.title).toBe('Inner');
    expect((await fresh.request('GET', '/@search?SearchableText=inner')).body.items_total).toBeGreaterThan(0);
    const used = (await upload(site, 'site.zip', await ownExport(site))).body.id;
    expect((await importUploaded(site, used)).job.error).toContain('The site is in use');
    expect((await site.request('DELETE', `/@imports/${used}`)).status).toBe(204);
  });
});
