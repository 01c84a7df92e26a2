import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { removeExpired } from '../../../src/features/site-export/made/remove-expired.ts';
import { Places } from '../../backup/places.ts';
import { addPerson } from '../../content/people.ts';
import { importUploaded, upload, useTemporaryFolder } from '../../importer/uploaded/archives.ts';
import { startWorker } from '../../jobs/job-site.ts';
import { describeEachEngine } from '../../support/database.ts';
import { PAGE } from '../../support/profiles.ts';
import { startTestSite, type TestSite } from '../../support/site.ts';
import { file, mustOf } from '../furnish.ts';
import { contentsOf } from '../same-tables.ts';
import { blobsOf, endOfExport, exportOf, fileOf } from './exports.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

useTemporaryFolder();

describeEachEngine('@exports', (engine) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite(engine);
    const must = mustOf(site);
    await must('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    await must('POST', '/news', { '@type': PAGE, id: 'one', title: 'One' });
    await must('PATCH', '/news/one', { title: 'One, changed' });
    await must('POST', '/news', {
      '@type': 'File',
      id: 'paper',
      title: 'Paper',
      file: file('p.txt', 'x'.repeat(5000)),
    });
    await must('PATCH', '/@controlpanels/mail', { smtp_host: 'mail.example.org', smtp_pass: 'very secret' });
  });
  afterAll(() => site?.close());

  it('A whole site is exported by a job, downloaded, uploaded to a new site, and is the same there.', {
    timeout: 60_000,
  }, async () => {
    const before = await blobsOf(site);
    const contents = await contentsOf(site.kernel);
    const made = await exportOf(site);
    expect(made.job, JSON.stringify(made)).toMatchObject({ status: 'completed', error: null });
    expect(made).toMatchObject({
      path: '/',
      encrypted: false,
      actor: 'admin',
      filename: expect.stringMatching(/^site-.*\.zip$/),
    });
    expect(made.job.progress.done).toBe(made.report.objects);
    expect(made.report).toMatchObject({ files: 1, secrets_left: 1, missing_count: 0, unknown_tables: [] });
    const bytes = await fileOf(site, made.id);
    expect(bytes.length).toBe(made.bytes);
    const fresh = await startTestSite(engine);
    onTestFinished(() => fresh.close());
    const sent = await upload(fresh, made.filename, bytes);
    const done = await importUploaded(fresh, sent.body.id);
    expect(done.job, JSON.stringify(done)).toMatchObject({ status: 'completed' });
    const after = await contentsOf(fresh.kernel);
    for (const table of ['content', 'version', 'account', 'reference', 'workflow_history', 'catalog'])
      expect(after[table], table).toEqual(contents[table]);
    expect((await fresh.request('GET', '/news/paper/@@download/file')).text).toBe('x'.repeat(5000));
    expect((await site.request('DELETE', `/@exports/${made.id}`)).status).toBe(204);
    expect((await site.request('GET', `/@exports/${made.id}`)).status).toBe(404);
    expect(await blobsOf(site)).toEqual(before);
  });

  it('The file is an attachment for its Manager alone, of which clients ask for parts.', async () => {
    const made = await exportOf(site, { path: '/news', passphrase: 'correct horse battery' });
    expect(made).toMatchObject({ path: '/news', encrypted: true, report: { objects: 3 } });
    const get = (headers: Record<string, string>) => site.request('GET', `/@exports/${made.id}/file`, { headers });
    const whole = await get({});
    expect(whole.headers.get('content-type')).toBe('application/zip');
    expect(whole.headers.get('content-disposition')).toContain(`attachment; filename="${made.filename}"`);
    expect(whole.headers.get('cache-control')).toBe('private, no-store');
    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    const etag = whole.headers.get('etag') ?? '';
    const part = await get({ Range: 'bytes=4-9', 'If-Range': etag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-9/${made.bytes}`]);
    expect(part.bytes).toEqual(whole.bytes.subarray(4, 10));
    expect((await get({ Range: 'bytes=-3' })).bytes).toEqual(whole.bytes.subarray(-3));
    expect((await get({ Range: `bytes=${made.bytes}-` })).status).toBe(416);
    expect((await get({ 'If-None-Match': etag })).status).toBe(304);
    const [row] = await site.kernel.db.query({
      text: 'select passphrase from site_export where id = $1',
      values: [made.id],
    });
    expect(row).toEqual({ passphrase: null });
    expect((await site.request('DELETE', `/@exports/${made.id}`)).status).toBe(204);
  });

  it('A wrong request is a 400 or 404 that says what to do, and begins nothing.', async () => {
    for (const [json, message] of [
      [{ path: '/nothing' }, 'There is nothing at /nothing'],
      [{ path: 7 }, 'path'],
      [{ passphrase: 'short' }, 'passphrase'],
      [{ users: true }, 'users'],
    ] as const) {
      const { status, text } = await site.request('POST', '/@exports', { json });
      expect(status, text).toBe(400);
      expect(text).toContain(message);
    }
    for (const id of [UNKNOWN, 'x', '..%2f..%2fetc'])
      for (const [method, rest] of [
        ['GET', ''],
        ['GET', '/file'],
        ['DELETE', ''],
      ] as const)
        expect((await site.request(method, `/@exports/${id}${rest}`)).status).toBe(404);
    expect((await site.request('GET', '/@exports')).body.items).toEqual([]);
  });

  it('A job that waits keeps its export; one that is aborted leaves no file, and has no second job.', async () => {
    const before = await blobsOf(site);
    const { body } = await site.request('POST', '/@exports', { json: { passphrase: 'correct horse battery' } });
    expect(body).toMatchObject({ file: null, bytes: null, report: null, job: { status: 'created' } });
    expect(JSON.stringify(body)).not.toContain('correct horse');
    const [row] = await site.kernel.db.query<{ passphrase: string }>({ text: 'select passphrase from site_export' });
    expect(row?.passphrase).not.toContain('correct');
    expect((await site.request('GET', `/@exports/${body.id}/file`)).status).toBe(404);
    expect((await site.request('DELETE', `/@exports/${body.id}`)).status).toBe(409);
    const again = await site.request('POST', '/@jobs', { json: { action: 'export', params: { export: body.id } } });
    expect((await site.request('POST', `/@jobs/${body.job.uuid}/abort`)).status).toBe(204);
    expect((await endOfExport(site, body.id)).job.status).toBe('aborted');
    if (again.status < 300) {
      const worker = await startWorker(site.kernel);
      await expect
        .poll(async () => (await site.request('GET', `/@jobs/${again.body.uuid}`)).body.error, { timeout: 20_000 })
        .toContain('has a job already');
      await worker.close();
    }
    await removeExpired(site.kernel);
    expect(await site.kernel.db.query({ text: 'select passphrase from site_export' })).toEqual([{ passphrase: null }]);
    expect((await site.request('DELETE', `/@exports/${body.id}`)).status).toBe(204);
    expect(await blobsOf(site)).toEqual(before);
  });

  it('An export whose process was killed is made anew by another one.', async () => {
    const { body } = await site.request('POST', '/@exports', { json: {} });
    await site.kernel.db.query({
      text: `update job set status = 'running', started = now(), attempts = 1, worker = gen_random_uuid(),
        due = now() - interval '1 second' where id = $1::uuid`,
      values: [body.job.uuid],
    });
    const worker = await startWorker(site.kernel);
    expect(await endOfExport(site, body.id)).toMatchObject({ job: { status: 'completed' }, bytes: expect.any(Number) });
    await worker.close();
    await site.request('DELETE', `/@exports/${body.id}`);
  });

  it('A user who is no Manager any more gets no export.', async () => {
    const boss = await addPerson(site, { id: 'boss', roles: ['Manager'] });
    const { body } = await site.request('POST', '/@exports', { as: boss, json: {} });
    await site.request('PATCH', '/@users/boss', { json: { roles: { Manager: false } } });
    expect((await site.request('GET', `/@exports/${body.id}`, { as: boss })).status).toBe(403);
    const worker = await startWorker(site.kernel);
    expect((await endOfExport(site, body.id)).job.error).toContain('Only Managers');
    await worker.close();
    await site.request('DELETE', `/@exports/${body.id}`);
  });

  it('There are ten exports at most, and those that expire are removed with their files.', async () => {
    const before = await blobsOf(site);
    const { id } = await exportOf(site, { path: '/news' });
    const begun = await Promise.all(
      Array.from({ length: 11 }, () => site.request('POST', '/@exports', { json: { path: '/news' } })),
    );
    expect(begun.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 9 }, () => 202), 429, 429]);
    const listed = (await site.request('GET', '/@exports?b_size=3')).body;
    expect([listed.items.length, listed.items_total]).toEqual([3, 10]);
    expect(listed.batching.next).toContain('b_start=3');
    await site.kernel.db.query({ text: `update site_export set expires = now() - interval '1 hour'` });
    await removeExpired(site.kernel);
    // Those whose jobs wait stay.
    expect((await site.request('GET', '/@exports')).body.items_total).toBe(9);
    expect((await site.request('GET', `/@exports/${id}`)).status).toBe(404);
    await site.kernel.db.query({ text: `update job set status = 'aborted', finished = now() where finished is null` });
    await removeExpired(site.kernel);
    expect((await site.request('GET', '/@exports')).body.items_total).toBe(0);
    expect(await blobsOf(site)).toEqual(before);
  });
});

describeEachEngine('an export of a served site', (engine) => {
  const places = new Places();
  afterAll(() => places.end());

  it('is made while others read and write, from a copy of an embedded database, which goes afterwards.', {
    timeout: 120_000,
  }, async () => {
    const place = await places.empty(engine);
    const served = await places.serve(place);
    const must = mustOf(served);
    await must('POST', '/', { '@type': 'Folder', id: 'news', title: 'News' });
    const { id } = await must('POST', '/@exports', {});
    for (let at = 0; at < 5; at += 1) await must('POST', '/news', { '@type': PAGE, title: `Meanwhile ${at}` });
    const made = await endOfExport(served, id);
    expect(made.job, JSON.stringify(made.job)).toMatchObject({ status: 'completed' });
    expect((await fileOf(served, id)).subarray(0, 2).toString()).toBe('PK');
  });
});
