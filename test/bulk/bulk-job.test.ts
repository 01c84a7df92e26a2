import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { make } from '../content/make.ts';
import { addPerson } from '../content/people.ts';
import { startWorker } from '../jobs/job-site.ts';
import { describeEachEngine } from '../support/database.ts';
import { type Json, startTestSite, type TestSite, type Who } from '../support/site.ts';

const PAGES = 60;

describeEachEngine('@bulk of many objects', (engine) => {
  let site: TestSite;
  let worker: JobWorker | undefined;
  let editor: Who;
  beforeAll(async () => {
    site = await startTestSite(engine);
    editor = await addPerson(site, { id: 'ed' });
  });
  afterAll(async () => {
    await worker?.close();
    await site?.close();
  });

  const get = async (path: string, as: Who = 'admin') => (await site.request('GET', path, { as })).body;
  const pathOf = (url: string) => url.slice(site.url.length);
  async function folder(id: string): Promise<void> {
    await make(site.kernel, '/', { '@type': 'Folder', id });
    for (let i = 0; i < PAGES; i += 1) await make(site.kernel, `/${id}`, { id: `p${i}` });
  }
  const begin = (at: string, change: Json, as: Who = 'admin') =>
    site.request('POST', `${at}/@bulk`, { as, json: { query: { portal_type: 'Page' }, change } });
  async function ended(job: string): Promise<Json> {
    await expect.poll(async () => (await get(job)).finished, { timeout: 60_000 }).not.toBeNull();
    return get(job);
  }
  const versions = async (folderPath: string) =>
    site.kernel.db.query<{ n: number }>({
      text: `select count(*)::int as n from site_transaction_step where action = 'edited' and path like $1 group by path`,
      values: [`${folderPath}/%`],
    });

  it('is a job with its progress, a report by object, and one undo', async () => {
    await folder('many');
    await site.request('POST', '/many/p7/@lock');
    const { status, body, headers } = await begin('/many', { fields: { title: 'Changed' } });
    expect(status, JSON.stringify(body)).toBe(202);
    expect(body.total).toBe(PAGES);
    const [job, report] = [pathOf(headers.get('location') ?? ''), pathOf(body['@id'])];
    expect(await get(report)).toMatchObject({ pending: PAGES, changed: 0, change: 'fields', actor: 'admin' });
    worker = await startWorker(site.kernel);
    const done = await ended(job);
    expect(done).toMatchObject({
      status: 'completed',
      progress: { done: PAGES, total: PAGES },
      result: { changed: PAGES - 1, unchanged: 0, refused: 1 },
    });
    const whole = await get(`${report}?b_size=10`);
    expect(whole).toMatchObject({ items_total: PAGES, changed: PAGES - 1, refused: 1, pending: 0 });
    expect(whole.batching.next).toContain('b_start=10');
    const refused = await get(`${report}?outcome=refused`);
    expect(refused.items).toMatchObject([{ item: '/many/p7', type: 'Forbidden', outcome: 'refused' }]);
    expect(whole.transactions).toEqual(done.result.transactions);
    expect(whole.transactions.length).toBeGreaterThan(1);
    const ids = whole.transactions.map(String);
    const undone = await site.request('PATCH', '/@transactions', { json: { transaction_ids: ids } });
    expect(undone.status, undone.text).toBe(200);
    expect((await get('/many/p3')).title).toBe('p3');
    await worker.close();
    worker = undefined;
  });

  it('goes on where its process ended, and changes each object once', async () => {
    await folder('killed');
    const { body } = await begin('/killed', { fields: { title: 'Once' } });
    const [job, report] = [pathOf(body.job), pathOf(body['@id'])];
    worker = await startWorker(site.kernel);
    await expect.poll(async () => (await get(report)).changed, { timeout: 30_000 }).toBeGreaterThan(0);
    await worker.close();
    worker = undefined;
    const between = await get(report);
    // What others have done meanwhile.
    await site.request('DELETE', '/killed/p59');
    worker = await startWorker(site.kernel);
    await ended(job);
    const after = await get(report);
    expect(after.pending).toBe(0);
    expect(after.changed + after.refused).toBe(PAGES);
    expect(after.refused).toBeLessThanOrEqual(1);
    expect(between.changed).toBeGreaterThan(0);
    expect((await versions('/killed')).every(({ n }) => n === 1)).toBe(true);
    await worker.close();
    worker = undefined;
  });

  it('an aborted one goes on when its job is retried', async () => {
    await folder('aborted');
    const { body } = await begin('/aborted', { tags: { add: ['Later'], remove: [] } });
    expect((await site.request('POST', `${pathOf(body.job)}/abort`)).status).toBe(204);
    expect(await get(pathOf(body['@id']))).toMatchObject({ pending: PAGES });
    const retried = await site.request('POST', `${pathOf(body.job)}/retry`);
    worker = await startWorker(site.kernel);
    await ended(pathOf(retried.headers.get('location') ?? ''));
    expect(await get(pathOf(body['@id']))).toMatchObject({ pending: 0, changed: PAGES });
    await worker.close();
    worker = undefined;
  });

  it('runs with the rights that its user has then, and shows its report to nobody else', async () => {
    await folder('rights');
    const give = (roles: Json) =>
      site.request('POST', '/rights/@sharing', { json: { entries: [{ id: 'ed', type: 'user', roles }] } });
    await give({ Reader: true, Editor: true });
    const { status, body } = await begin('/rights', { tags: { add: ['X'], remove: [] } }, editor);
    expect(status).toBe(202);
    await give({ Reader: true, Editor: false });
    worker = await startWorker(site.kernel);
    await ended(pathOf(body.job));
    const report = pathOf(body['@id']);
    expect(await get(report, editor)).toMatchObject({ changed: 0, refused: PAGES });
    const other = await addPerson(site, { id: 'other' });
    expect((await site.request('GET', report, { as: other })).status).toBe(404);
    expect((await site.request('GET', report, { as: 'anonymous' })).status).toBe(401);
    expect((await site.request('GET', '/@bulk/x')).status).toBe(404);
    await worker.close();
    worker = undefined;
  });

  it('a Manager lends it no rights by a retry', async () => {
    await folder('lent');
    const give = (roles: Json) =>
      site.request('POST', '/lent/@sharing', { json: { entries: [{ id: 'ed', type: 'user', roles }] } });
    await give({ Reader: true, Editor: true });
    const { body } = await begin('/lent', { tags: { add: ['Lent'], remove: [] } }, editor);
    await give({ Reader: true, Editor: false });
    expect((await site.request('POST', `${pathOf(body.job)}/abort`, { as: editor })).status).toBe(204);
    const retried = await site.request('POST', `${pathOf(body.job)}/retry`);
    worker = await startWorker(site.kernel);
    const job = pathOf(retried.headers.get('location') ?? '');
    await expect.poll(async () => (await get(job)).status, { timeout: 30_000 }).toBe('failed');
    expect(await get(pathOf(body['@id']), editor)).toMatchObject({ changed: 0, pending: PAGES });
    await worker.close();
    worker = undefined;
  });

  it('a user begins a few at once', async () => {
    const change = { tags: { add: ['Y'], remove: [] } };
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await begin('/rights', change)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });
});
