import { afterAll, beforeAll, expect, it } from 'vitest';
import { reindex, reindexSite } from '../../src/core/content/reindex-site.ts';
import { enqueueJob } from '../../src/features/jobs/queue.ts';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite } from '../support/site.ts';
import { quickAction, request, startWorker } from './job-site.ts';

describeEachEngine('the actions of the core', (engine) => {
  let site: TestSite;
  let worker: JobWorker;
  beforeAll(async () => {
    site = await startTestSite(engine);
    worker = await startWorker(site.kernel);
  });
  afterAll(async () => {
    await worker?.close();
    await site?.close();
  });

  const read = async (path: string) => (await site.request('GET', path)).body;
  const ended = async (path: string) => {
    await expect.poll(async () => (await read(path)).finished, { timeout: 30_000 }).not.toBeNull();
    return read(path);
  };
  /** Starts a scheduled job of an action. Returns the path of the job. */
  async function start(action: string, params: object): Promise<string> {
    const id = `run-${action}`;
    await site.request('DELETE', `/@scheduled-jobs/${id}`);
    const json = { id, action, params, schedule: '0 0 1 1 *' };
    expect((await site.request('POST', '/@scheduled-jobs', { json })).status).toBe(201);
    const { headers } = await site.request('POST', `/@scheduled-jobs/${id}/start`);
    return (headers.get('location') ?? '').slice(site.url.length);
  }
  const query = (text: string, ...values: unknown[]) => site.kernel.db.query({ text, values });
  const catalog = () =>
    query(`select c.path, k.allowed, k.searchable::text, k.sortable_title, k.subjects,
        (select jsonb_agg(jsonb_build_array(r.relation, r.position, r.target) order by r.position) from reference r where r.source = c.oid) as refs
      from content c join catalog k on k.oid = c.oid order by c.path collate "C"`);
  const count = async (types?: string[]) =>
    Number(
      (await query('select count(*)::int as n from content where $1::text[] is null or type = any($1)', types))[0]?.n,
    );

  it('the job action reindex repairs the catalog during writes, with the same result as a rebuild', async () => {
    await site.request('POST', '/', { json: { '@type': 'Folder', id: 'busy', title: 'Busy' } });
    for (let i = 0; i < 10; i += 1)
      await site.request('POST', '/busy', { json: { '@type': 'Page', id: `p${i}`, title: 'Page' } });
    await query(`update catalog set allowed = '{}', searchable = '', subjects = '{wrong}'`);
    const writes = async (): Promise<void> => {
      for (let i = 0; i < 10; i += 1) {
        const results = await Promise.all([
          site.request('PATCH', `/busy/p${i}`, {
            json: { title: `Changed ${i}`, relatedItems: [`/busy/p${(i + 1) % 10}`] },
          }),
          site.request('POST', `/busy/@sharing`, {
            json: { entries: [{ id: 'AuthenticatedUsers', type: 'group', roles: { Reader: i % 2 === 0 } }] },
          }),
          site.request('POST', '/busy', { json: { '@type': 'Page', title: 'New' } }),
        ]);
        for (const { status, text } of results) expect(status, text).toBeLessThan(300);
      }
    };
    const path = await start('reindex', { type: [] });
    const [job] = await Promise.all([ended(path), writes()]);
    expect(job).toMatchObject({ status: 'completed', params: { action: 'reindex', type: [] } });
    expect(job.result.objects).toBeGreaterThanOrEqual(12);
    expect(job.progress).toEqual({ done: job.result.objects, total: job.result.objects });
    const live = await catalog();
    await reindexSite(site.kernel);
    expect(live).toEqual(await catalog());
  });

  it('a reindex writes the rows of the catalog that differ, in whatever column, and leaves the others as they are', async () => {
    for (let i = 0; i < 10; i += 1) await site.request('POST', '/', { json: { '@type': 'Page', title: 'Row' } });
    await reindexSite(site.kernel);
    const rows = async () =>
      new Map(
        (await query('select oid, xmin::text as written from catalog')).map(({ oid, written }) => [oid, written]),
      );
    const wrong = [
      `allowed = '{}'`,
      `inactive_allowed = '{nobody}'`,
      'exclude_from_nav = not exclude_from_nav',
      `searchable = 'nothing'`,
      `sortable_title = 'zzz'`,
      `subjects = '{wrong}'`,
      `block_types = '{wrong}'`,
      `starts = '{[2020-01-01,2020-01-02)}'`,
      `ends = '{[2020-01-01,2020-01-02)}'`,
      `custom = '{"wrong": 1}'`,
    ];
    const oids = [...(await rows()).keys()].slice(0, wrong.length);
    expect(oids).toHaveLength(wrong.length);
    const right = await query('select to_jsonb(k) as row from catalog k order by oid');
    for (const [at, change] of wrong.entries()) await query(`update catalog set ${change} where oid = $1`, oids[at]);
    const before = await rows();
    await reindexSite(site.kernel);
    expect(await query('select to_jsonb(k) as row from catalog k order by oid')).toEqual(right);
    const after = await rows();
    expect([...after].filter(([oid, written]) => before.get(oid) !== written).map(([oid]) => oid)).toEqual(
      expect.arrayContaining(oids),
    );
    expect([...after].filter(([oid, written]) => before.get(oid) !== written)).toHaveLength(oids.length);
  });

  it('the job action reindex takes one type or several and reports the number of indexed objects', async () => {
    for (const type of ['Page', ['Page', 'Folder']]) {
      const job = await ended(await start('reindex', { type }));
      const objects = await count(typeof type === 'string' ? [type] : type);
      expect(objects).toBeGreaterThan(0);
      expect(objects).toBeLessThan(await count());
      expect(job).toMatchObject({
        status: 'completed',
        result: { objects },
        progress: { done: objects, total: objects },
      });
    }
  });

  it('an interrupted job of the action reindex goes on behind the last objects that it has indexed', async () => {
    for (let i = 0; i < 30; i += 1) await site.request('POST', '/busy', { json: { '@type': 'Page', title: 'More' } });
    while ((await count()) < 250) await site.request('POST', '/@copy', { json: { source: '/busy' } });
    let closed: Promise<void> | undefined;
    let steps = 0;
    site.kernel.jobActions.register(
      quickAction('reindex-watched', (context) =>
        reindex.run({
          ...context,
          async step(work) {
            const done = await context.step(work);
            steps += 1;
            closed ??= worker.close();
            return done;
          },
        }),
      ),
    );
    await query(`update catalog set subjects = '{wrong}'`);
    const path = `/@jobs/${await enqueueJob(site.kernel, site.kernel.db, request('reindex-watched'))}`;
    await expect.poll(() => closed !== undefined, { timeout: 20_000 }).toBe(true);
    await closed;
    expect(await read(path)).toMatchObject({ status: 'created', started: null });
    const [{ wrong } = { wrong: 0 }] = await query(
      `select count(*)::int as wrong from catalog where subjects = '{wrong}'`,
    );
    expect(wrong).toBeGreaterThan(0);
    worker = await startWorker(site.kernel);
    expect(await ended(path)).toMatchObject({ status: 'completed', result: { objects: await count() } });
    // Each batch of 50 once, and the look that finds no more.
    expect(steps).toBe(Math.ceil((await count()) / 50) + 1);
    const live = await catalog();
    await reindexSite(site.kernel);
    expect(live).toEqual(await catalog());
  });

  it('the job action reindex fails with a message when its type does not exist any more', async () => {
    const id = await enqueueJob(site.kernel, site.kernel.db, request('reindex', { params: { type: 'Gone' } }));
    expect(await ended(`/@jobs/${id}`)).toMatchObject({ status: 'failed', error: expect.stringContaining('"Gone"') });
  });

  it('the job action prune-versions removes the versions that the settings do not keep', async () => {
    await site.request('POST', '/', { json: { '@type': 'Page', id: 'edited', title: 'One' } });
    for (const title of ['Two', 'Three', 'Four']) await site.request('PATCH', '/edited', { json: { title } });
    await query(`update configuration set data = '{"keep": 1}' where kind = 'setting' and id = 'versioning'`);
    await query(`update site_state set value = (value::bigint + 1)::text where name = 'configuration'`);
    const job = await ended(await start('prune-versions', {}));
    expect(job.status).toBe('completed');
    expect(job.result.versions).toBeGreaterThanOrEqual(3);
    expect(await query('select content from version group by content having count(*) > 1')).toEqual([]);
  });

  it('the job action purge-recyclebin removes entries older than the retention period', async () => {
    for (const id of ['old', 'new']) {
      await site.request('POST', '/', { json: { '@type': 'Page', id, title: id } });
      await site.request('DELETE', `/${id}`);
    }
    await query(`update recycled set deleted = now() - interval '31 days' where name = 'old'`);
    const job = await ended(await start('purge-recyclebin', {}));
    expect(job).toMatchObject({ status: 'completed', result: { entries: 1 } });
    const { items } = await read('/@recyclebin');
    expect(items.map(({ id }: { id: string }) => id)).toEqual(['new']);
  });
});
