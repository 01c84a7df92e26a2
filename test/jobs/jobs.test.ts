import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { enqueueJob } from '../../src/features/jobs/queue.ts';
import type { JobRequest } from '../../src/features/jobs/statements/jobs.ts';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { BadRequest } from '../../src/lib/errors.ts';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';
import { quickAction, request, slowAction, startWorker } from './job-site.ts';

const MISSING = '/@jobs/00000000-0000-4000-8000-000000000000';

describeEachEngine('@jobs', (engine) => {
  let site: TestSite;
  let worker: JobWorker | undefined;
  let ann: Who;
  let bob: Who;

  beforeAll(async () => {
    site = await startTestSite(engine);
    ann = await addPerson(site, { id: 'ann' });
    bob = await addPerson(site, { id: 'bob' });
    const { jobActions } = site.kernel;
    jobActions.register(
      quickAction('sum', async ({ params }) => ({ sum: Number(params.a) + 1 }), {
        schema: {
          fieldsets: [],
          properties: { a: { title: 'A', type: 'integer', factory: 'Integer' } },
          required: ['a'],
        },
      }),
    );
    jobActions.register(quickAction('silent', async () => undefined));
    jobActions.register(quickAction('broken', async () => Promise.reject(new Error('secret of the server'))));
    jobActions.register(quickAction('refusing', async () => Promise.reject(new BadRequest('Not on Sundays.'))));
  });
  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await site.kernel.db.query({ text: 'delete from job' });
  });
  afterAll(() => site?.close());

  const start = async () => {
    worker = await startWorker(site.kernel);
  };
  async function enqueue(action: string, more: Partial<JobRequest> = {}): Promise<string> {
    const id = await site.kernel.db.transaction((tx) => enqueueJob(site.kernel, tx, request(action, more)));
    return `/@jobs/${id}`;
  }
  const read = async (path: string, as: Who = 'admin') => (await site.request('GET', path, { as })).body;
  const ended = async (path: string) => {
    await expect.poll(async () => (await read(path)).finished, { timeout: 20_000 }).not.toBeNull();
    return read(path);
  };
  const list = async (as: Who = 'admin'): Promise<string[]> =>
    (await read('/@jobs', as)).map(({ uuid }: { uuid: string }) => `/@jobs/${uuid}`);

  it('a waiting job is represented with its params and no result', async () => {
    const path = await enqueue('sum', { params: { a: 1 }, title: 'One more', description: 'Adds one' });
    const shown = {
      '@id': site.url + path,
      uuid: path.slice('/@jobs/'.length),
      title: 'One more',
      description: 'Adds one',
      params: { action: 'sum', a: 1 },
      actor: 'admin',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      started: null,
      finished: null,
      status: 'created',
      progress: null,
      result: {},
      error: null,
    };
    const { status, headers, body } = await site.request('GET', path);
    expect([status, headers.get('location')]).toEqual([200, null]);
    expect(body).toEqual(shown);
    expect(await read('/@jobs')).toEqual([shown]);
  });

  it('a job exists if the transaction that enqueued it is committed, and not if it is rolled back', async () => {
    const { kernel } = site;
    const undone = kernel.db.transaction(async (tx) => {
      await enqueueJob(kernel, tx, request('silent'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await list()).toEqual([]);
    await expect(enqueue('no-such-action')).rejects.toThrow(BadRequest);
  });

  it('a job runs to its end and has a result', async () => {
    const path = await enqueue('sum', { params: { a: 41 } });
    const waiting = await site.request('GET', `${path}/result`);
    expect(waiting.status).toBe(202);
    expect(waiting.headers.get('location')).toBe(site.url + path);
    expect(waiting.headers.get('retry-after')).toBe('1');
    expect(waiting.body).toMatchObject({ status: 'created' });
    await start();
    const job = await ended(path);
    expect(job).toMatchObject({ status: 'completed', result: { sum: 42 }, error: null });
    expect(job.created <= job.started && job.started <= job.finished).toBe(true);
    expect((await site.request('GET', path)).headers.get('location')).toBe(`${site.url}${path}/result`);
    const { status, body } = await site.request('GET', `${path}/result`);
    expect([status, body]).toEqual([200, { sum: 42 }]);
  });

  it('the result of a job without one returns 204', async () => {
    const path = await enqueue('silent');
    await start();
    expect(await ended(path)).toMatchObject({ status: 'completed', result: {} });
    expect((await site.request('GET', `${path}/result`)).status).toBe(204);
  });

  it('a failed job shows the error of a client, and hides an internal error', async () => {
    const [broken, refusing, unfit] = [
      await enqueue('broken'),
      await enqueue('refusing'),
      await enqueue('sum', { params: { a: 'x' } }),
    ];
    await start();
    expect(await ended(refusing)).toMatchObject({ status: 'failed', error: 'Not on Sundays.', result: {} });
    expect(await ended(unfit)).toMatchObject({ status: 'failed', error: expect.stringMatching(/^params\.a: /) });
    const { status, error } = await ended(broken);
    expect(status).toBe('failed');
    expect(error).not.toContain('secret');
    expect(error).toContain(broken.slice('/@jobs/'.length));
    const result = await site.request('GET', `${refusing}/result`);
    expect(result.status).toBe(404);
    expect(result.body).toMatchObject({
      message: expect.stringContaining('Not on Sundays.'),
      error: expect.any(String),
    });
  });

  it('a waiting job is aborted at once and never runs', async () => {
    const path = await enqueue('silent');
    const { status, text } = await site.request('POST', `${path}/abort`);
    expect([status, text]).toEqual([204, '']);
    expect(await read(path)).toMatchObject({ status: 'aborted', started: null, finished: expect.any(String) });
    await start();
    await ended(await enqueue('silent'));
    expect(await read(path)).toMatchObject({ status: 'aborted', started: null });
    expect((await site.request('POST', `${path}/abort`)).status).toBe(204);
    expect((await site.request('GET', `${path}/result`)).status).toBe(404);
  });

  it('aborting a job that has ended changes nothing', async () => {
    const path = await enqueue('silent');
    await start();
    const before = await ended(path);
    expect((await site.request('POST', `${path}/abort`)).status).toBe(204);
    expect(await read(path)).toEqual(before);
  });

  it('a running job can be aborted, and removed only after that', async () => {
    const slow = slowAction('slow-abort');
    site.kernel.jobActions.register(slow.action);
    const path = await enqueue('slow-abort');
    await start();
    await expect.poll(() => slow.runs.length).toBe(1);
    expect(await read(path)).toMatchObject({ status: 'running', started: expect.any(String), finished: null });
    expect((await site.request('DELETE', path)).status).toBe(409);
    expect((await site.request('POST', `${path}/retry`)).status).toBe(409);
    expect((await site.request('POST', `${path}/abort`, { json: {} })).status).toBe(204);
    expect(await ended(path)).toMatchObject({ status: 'aborted', error: null });
    expect(slow.runs[0]?.signal.aborted).toBe(true);
    expect((await site.request('DELETE', path)).status).toBe(204);
    expect((await site.request('GET', path)).status).toBe(404);
  });

  it('a retry of an ended job is a new job', async () => {
    const first = await enqueue('sum', { params: { a: 1 }, title: 'Sum', scheduledJob: 'nightly', actor: 'ann' });
    expect((await site.request('POST', `${first}/retry`)).status).toBe(409);
    await start();
    await ended(first);
    const { status, headers, text } = await site.request('POST', `${first}/retry`);
    expect([status, text]).toEqual([204, '']);
    const second = (headers.get('location') ?? '').slice(site.url.length);
    expect(second).not.toBe(first);
    expect(await ended(second)).toMatchObject({
      title: 'Sum',
      params: { scheduled_job: 'nightly', action: 'sum', a: 1 },
      actor: 'admin',
      status: 'completed',
    });
    expect(await list()).toEqual([second, first]);
    await site.kernel.db.query({ text: `update job set action = 'gone' where id = '${first.slice(7)}'` });
    expect((await site.request('POST', `${first}/retry`)).status).toBe(400);
  });

  it('a waiting job can be removed', async () => {
    const path = await enqueue('silent');
    expect((await site.request('DELETE', path)).status).toBe(204);
    expect((await site.request('DELETE', path)).status).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('@jobs lists the newest jobs first, in linked batches', async () => {
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(await enqueue('silent'));
    const found: string[] = [];
    let next = '/@jobs?b_size=2';
    while (next !== '') {
      const { body, headers } = await site.request('GET', next);
      found.push(...body.map(({ uuid }: { uuid: string }) => `/@jobs/${uuid}`));
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(found).toEqual(made);
    expect((await read('/@jobs?b_start=4')).length).toBe(1);
    expect((await site.request('GET', '/@jobs?b_size=many')).status).toBe(400);
  });

  it('@jobs lists 100 jobs by default', async () => {
    await site.kernel.db.transaction(async (tx) => {
      for (let n = 0; n < 102; n += 1) await enqueueJob(site.kernel, tx, request('silent'));
    });
    const { body, headers } = await site.request('GET', '/@jobs');
    expect(body.length).toBe(100);
    expect(headers.get('link')).toContain('b_start=100');
  });

  it('an unknown job returns 404 for every method', async () => {
    for (const at of [MISSING, '/@jobs/no-uuid']) {
      for (const [method, path] of [
        ['GET', at],
        ['GET', `${at}/result`],
        ['POST', `${at}/abort`],
        ['POST', `${at}/retry`],
        ['DELETE', at],
      ] as const) {
        const { status, body } = await site.request(method, path);
        expect({ status, body }, `${method} ${path}`).toMatchObject({
          status: 404,
          body: { error: expect.any(String) },
        });
      }
    }
    expect((await site.request('POST', `${await enqueue('silent')}/explode`)).status).toBe(404);
  });

  it('a full queue rejects jobs with 429', async () => {
    await site.kernel.db.query({
      text: `insert into job (id, action, params, title, description, as_system, exclusive)
        select gen_random_uuid(), 'silent', '{}', '', '', true, false from generate_series(1, 1000)`,
    });
    const over = await enqueue('silent').catch((error: unknown) => error);
    expect(over).toMatchObject({ status: 429 });
    await site.request('POST', '/@scheduled-jobs', { json: { id: 'full', action: 'purge-recyclebin' } });
    const { status, headers } = await site.request('POST', '/@scheduled-jobs/full/start');
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
  });

  describe('jobs of one user', () => {
    it('a job of a user is visible to the user and to managers only', async () => {
      const own = await enqueue('silent', { actor: 'ann', asSystem: false });
      const other = await enqueue('silent');
      expect(await list(ann)).toEqual([own]);
      expect(await list(bob)).toEqual([]);
      expect(await list()).toEqual([other, own]);
      expect((await site.request('GET', '/@jobs', { as: 'anonymous' })).status).toBe(401);
      expect((await site.request('GET', own, { as: ann })).status).toBe(200);
      for (const [method, tail] of [
        ['GET', ''],
        ['GET', '/result'],
        ['POST', '/abort'],
        ['POST', '/retry'],
        ['DELETE', ''],
      ] as const) {
        const refusals = [];
        for (const path of [own, other, MISSING, '/@jobs/no-uuid']) {
          const { status, body } = await site.request(method, path + tail, { as: bob });
          refusals.push({ status, body });
          expect((await site.request(method, path + tail, { as: 'anonymous' })).status).toBe(401);
        }
        expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, `${method} ${tail}`).toBe(1);
        expect(refusals[0]?.status).toBe(403);
      }
      expect(await read(own)).toMatchObject({ status: 'created' });
    });

    it('users can abort, retry and remove their own jobs', async () => {
      const path = await enqueue('silent', { actor: 'ann', asSystem: false });
      expect((await site.request('POST', `${path}/abort`, { as: ann })).status).toBe(204);
      const { status, headers } = await site.request('POST', `${path}/retry`, { as: ann });
      expect(status).toBe(204);
      expect((await read(headers.get('location') ?? '', ann)).actor).toBe('ann');
      expect((await site.request('DELETE', path, { as: ann })).status).toBe(204);
    });

    it('a user who has lost the role Manager cannot retry a job with its rights', async () => {
      const path = await enqueue('silent', { actor: 'ann', asSystem: true });
      await site.request('POST', `${path}/abort`);
      expect((await site.request('GET', path, { as: ann })).status).toBe(200);
      expect((await site.request('POST', `${path}/retry`, { as: ann })).status).toBe(403);
      expect(await list()).toEqual([path]);
    });

    it('a job of a schedule belongs to no user, not even one called "system"', async () => {
      const named = await addPerson(site, { id: 'system' });
      const path = await enqueue('silent', { actor: null });
      expect(await read(path)).toMatchObject({ actor: 'system' });
      expect(await list(named)).toEqual([]);
      expect((await site.request('GET', path, { as: named })).status).toBe(403);
    });
  });

  describe('jobs that have ended', () => {
    const finished = (days: number, count: number) =>
      site.kernel.db.query({
        text: `insert into job (id, action, params, title, description, as_system, exclusive, status, finished)
          select gen_random_uuid(), 'silent', '{}', '${days}', '', true, false, 'failed', now() - ${days} * interval '1 day'
          from generate_series(1, ${count})`,
      });
    const titles = async () => (await read('/@jobs?b_size=1000')).map(({ title }: { title: string }) => title);
    const settings = async (jobs: object) => {
      const text = `insert into configuration (kind, id, position, data) values ('setting', 'jobs', 0, $1::jsonb)
        on conflict (kind, id) do update set data = excluded.data`;
      await site.kernel.db.query({ text, values: [JSON.stringify(jobs)] });
      await site.kernel.db.query({
        text: `update site_state set value = (value::bigint + 1)::text where name = 'configuration'`,
      });
    };
    afterEach(() => settings({}));

    it('ended jobs stay for 30 days by default', async () => {
      await finished(31, 1);
      await finished(29, 1);
      const waiting = await enqueue('silent');
      await start();
      await ended(waiting);
      await expect.poll(titles).toEqual(['silent', '29']);
    });

    it('settings of the site limit the age and the number of ended jobs', async () => {
      await settings({ keep: 3, days: 5 });
      await finished(6, 1);
      await finished(4, 4);
      await finished(2, 1);
      const waiting = await enqueue('silent');
      await start();
      await ended(waiting);
      await expect.poll(titles).toEqual(['silent', '2', '4']);
    });

    it('ended jobs are limited even if the settings are invalid', async () => {
      await settings({ keep: null, days: -1 });
      await finished(31, 1);
      await finished(29, 1);
      const waiting = await enqueue('silent');
      await start();
      await ended(waiting);
      await expect.poll(titles).toEqual(['silent', '29']);
    });
  });
});
