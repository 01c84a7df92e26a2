import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPerson } from '../content/people.ts';
import { describeEachEngine } from '../support/database.ts';
import { startTestSite, type TestSite, type Who } from '../support/site.ts';

const BODY = { title: 'Reindex pages', description: 'All of them', action: 'reindex', params: { type: 'Page' } };
const NEVER = '0 0 1 1 *';

describeEachEngine('@scheduled-jobs', (engine) => {
  let site: TestSite;
  let made = 0;
  beforeAll(async () => {
    site = await startTestSite(engine);
  });
  afterAll(() => site?.close());

  const post = (json: object) => site.request('POST', '/@scheduled-jobs', { json });
  async function create(more: object = {}): Promise<string> {
    made += 1;
    const id = `job-${made}`;
    const { status, text } = await post({ id, ...BODY, schedule: NEVER, ...more });
    expect(status, text).toBe(201);
    return `/@scheduled-jobs/${id}`;
  }
  const read = async (path: string) => (await site.request('GET', path)).body;

  it('a new scheduled job is returned and listed as it was sent', async () => {
    const { status, headers, body } = await post({ id: 'reindex-pages', ...BODY, schedule: ' 0 3 * * * ' });
    expect(status).toBe(201);
    const shown = {
      '@id': `${site.url}/@scheduled-jobs/reindex-pages`,
      id: 'reindex-pages',
      ...BODY,
      enabled: true,
      schedule: '0 3 * * *',
      next_run: expect.stringMatching(/T03:00:00\.000Z$/),
    };
    expect(body).toEqual(shown);
    expect(headers.get('location')).toBe(shown['@id']);
    expect(await read('/@scheduled-jobs/reindex-pages')).toEqual(shown);
    expect(await read('/@scheduled-jobs')).toContainEqual(shown);
    const next = Date.parse(body.next_run) - Date.now();
    expect(next).toBeGreaterThan(0);
    expect(next).toBeLessThanOrEqual(86_400_000);
  });

  it('a new scheduled job has defaults for omitted members', async () => {
    const { body } = await post({ id: 'plain', action: 'purge-recyclebin' });
    expect(body).toMatchObject({ title: 'plain', description: '', enabled: true, params: {}, schedule: '0 0 * * *' });
  });

  it.each([
    ['no id', { id: undefined }, 'id'],
    ['an id with a slash', { id: 'a/b' }, 'id'],
    ['an id that is no text', { id: 5 }, 'id'],
    ['an id that is too long', { id: 'a'.repeat(101) }, 'id'],
    ['a title that is no text', { title: {} }, 'title'],
    ['a title of null', { title: null }, 'title'],
    ['a long title', { title: 'a'.repeat(256) }, 'title'],
    ['a long description', { description: 'a'.repeat(2001) }, 'description'],
    ['enabled as text', { enabled: 'yes' }, 'enabled'],
    ['no action', { action: undefined }, 'action'],
    ['an unknown action', { action: 'no-such-action' }, 'action'],
    ['an action from the prototype', { action: 'constructor' }, 'action'],
    ['params that are a list', { params: [] }, 'params'],
    ['params without what is required', { params: {} }, 'params.type'],
    ['params that the action has not', { params: { type: [], more: 1 } }, 'params.more'],
    ['params of the prototype', { params: JSON.parse('{"type":[],"__proto__":{"a":1}}') }, 'params.__proto__'],
    ['params of another type', { params: { type: 5 } }, 'params.type'],
    ['params with other items', { params: { type: [5] } }, 'params.type.0'],
    ['params with an item twice', { params: { type: ['Page', 'Page'] } }, 'params.type'],
    ['params with an unknown content type', { params: { type: ['Page', 'Nothing'] } }, 'params.type'],
    ['params that are too large', { params: { type: Array.from({ length: 9000 }, (_, n) => `t${n}`) } }, 'params'],
    ['a schedule that is no text', { schedule: 5 }, 'schedule'],
    ['a schedule of words', { schedule: 'every now and then' }, 'schedule'],
    ['a schedule of two fields', { schedule: '* *' }, 'schedule'],
    ['a schedule with seconds', { schedule: '* * * * * *' }, 'schedule'],
    ['an unknown minute', { schedule: '61 * * * *' }, 'schedule'],
    ['a day that never comes', { schedule: '0 0 31 2 *' }, 'schedule'],
    ['a date as a schedule', { schedule: '2999-01-01T00:00:00' }, 'schedule'],
    ['an empty schedule', { schedule: '' }, 'schedule'],
  ])('a scheduled job with %s is rejected', async (_name, change, field) => {
    const before = await read('/@scheduled-jobs?b_size=1000');
    const { status, body } = await post({ id: 'refused', ...BODY, schedule: NEVER, ...change });
    expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringContaining('message') } });
    expect(body.error.errors.map((problem: { field: string }) => problem.field)).toContain(field);
    expect(body.error.errors.every(({ message }: { message: string }) => message !== '')).toBe(true);
    expect(await read('/@scheduled-jobs?b_size=1000')).toEqual(before);
  });

  it('a scheduled job with text that cannot be stored is rejected', async () => {
    const { status, body } = await post({ id: 'nul', ...BODY, title: 'a\u0000b' });
    expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringContaining('U+0000') } });
  });

  it('a taken id of a scheduled job is rejected, and all problems are reported together', async () => {
    const path = await create();
    const id = path.split('/').at(-1);
    expect((await post({ id, ...BODY, title: 'Other' })).status).toBe(400);
    expect(await read(path)).toMatchObject({ title: BODY.title });
    const { body } = await post({ schedule: 'x', enabled: 5, action: 'y' });
    expect(body.error.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'action',
      'enabled',
      'id',
      'schedule',
    ]);
  });

  it('PATCH of a scheduled job changes what is sent and nothing else', async () => {
    const path = await create();
    const before = await read(path);
    const { status, text } = await site.request('PATCH', path, { json: { title: 'Other', '@id': 'x' } });
    expect([status, text]).toEqual([204, '']);
    expect(await read(path)).toEqual({ ...before, title: 'Other' });
    await site.request('PATCH', path, {
      json: { schedule: '30 4 * * 1', enabled: false, params: { type: ['Event'] } },
    });
    expect(await read(path)).toMatchObject({ schedule: '30 4 * * 1', enabled: false, params: { type: ['Event'] } });
    expect((await read(path)).next_run).toBeNull();
    await site.request('PATCH', path, { json: { enabled: true } });
    expect((await read(path)).next_run).toMatch(/T04:30:00\.000Z$/);
  });

  it('an invalid change of a scheduled job changes nothing', async () => {
    const path = await create();
    const before = await read(path);
    for (const json of [
      { schedule: 'x' },
      { action: 'prune-versions' },
      { params: {} },
      { id: 'other' },
      { title: 'Other', enabled: 'maybe' },
    ]) {
      expect((await site.request('PATCH', path, { json })).status, JSON.stringify(json)).toBe(400);
    }
    expect(await read(path)).toEqual(before);
    expect((await site.request('PATCH', path, { json: { action: 'prune-versions', params: {} } })).status).toBe(204);
  });

  it('a scheduled job can be disabled when its params have become invalid', async () => {
    const path = await create();
    await site.kernel.db.query({ text: `update scheduled_job set params = '{"type":"Gone"}', action = 'reindex'` });
    expect((await site.request('PATCH', path, { json: { params: { type: 'Gone' } } })).status).toBe(400);
    expect((await site.request('PATCH', path, { json: { action: 'reindex' } })).status).toBe(400);
    expect((await site.request('PATCH', path, { json: { enabled: false } })).status).toBe(204);
    expect(await read(path)).toMatchObject({ enabled: false, params: { type: 'Gone' } });
  });

  it('concurrent changes of a scheduled job are both kept', async () => {
    const path = await create();
    const changes = [{ title: 'A' }, { description: 'B' }, { enabled: false }, { schedule: '5 5 5 5 *' }];
    const responses = await Promise.all(changes.map((json) => site.request('PATCH', path, { json })));
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await read(path)).toMatchObject({ title: 'A', description: 'B', enabled: false, schedule: '5 5 5 5 *' });
  });

  it('a scheduled job can be started at once, even if it is disabled, and keeps its schedule', async () => {
    const path = await create({ enabled: false });
    const { status, headers, text } = await site.request('POST', `${path}/start`);
    expect([status, text]).toEqual([204, '']);
    const job = await read(headers.get('location') ?? '');
    expect(job).toMatchObject({
      title: BODY.title,
      description: BODY.description,
      params: { scheduled_job: path.split('/').at(-1), action: 'reindex', type: 'Page' },
      actor: 'admin',
      status: 'created',
    });
    expect((await read(path)).next_run).toBeNull();
  });

  it('a removed scheduled job leaves the jobs that it has started', async () => {
    const path = await create();
    const job = (await site.request('POST', `${path}/start`)).headers.get('location') ?? '';
    expect((await site.request('DELETE', path)).status).toBe(204);
    expect((await site.request('GET', path)).status).toBe(404);
    expect((await site.request('DELETE', path)).status).toBe(404);
    expect((await site.request('GET', job)).status).toBe(200);
  });

  it('an unknown scheduled job returns 404 for every method', async () => {
    const path = '/@scheduled-jobs/nothing';
    for (const [method, at, json] of [
      ['GET', path, undefined],
      ['PATCH', path, { title: 'x' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/start`, {}],
    ] as const) {
      const { status, body } = await site.request(method, at, json ? { json } : {});
      expect({ status, body }, method).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    }
  });

  it('@scheduled-jobs lists linked batches', async () => {
    await create();
    await create();
    const all: string[] = [];
    let next = '/@scheduled-jobs?b_size=2';
    while (next !== '') {
      const { body, headers } = await site.request('GET', next);
      expect(body.length).toBeLessThanOrEqual(2);
      all.push(...body.map(({ id }: { id: string }) => id));
      next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
    }
    const whole = (await read('/@scheduled-jobs')).map(({ id }: { id: string }) => id);
    expect(all).toEqual(whole);
    expect(all).toEqual([...all].sort());
    expect((await site.request('GET', '/@scheduled-jobs?b_size=x')).status).toBe(400);
  });

  it('@scheduled-job-actions lists the actions with the schemas of their params', async () => {
    const { status, body } = await site.request('GET', '/@scheduled-job-actions');
    expect(status).toBe(200);
    expect(body.map(({ addview }: { addview: string }) => addview)).toEqual([
      'reindex',
      'extract-texts',
      'bring-content',
      'prune-audit-log',
      'backup',
      'bulk-change',
      'wipe-form-data',
      'prune-versions',
      'import',
      'apply-plan',
      'tidy-proposals',
      'tidy-releases',
      'export',
      'prune-transactions',
      'remove-uploads',
      'purge-recyclebin',
    ]);
    expect(body[0]['@schema']).toMatchObject({
      type: 'object',
      fieldsets: [{ id: 'default', fields: ['type'] }],
      properties: { type: { type: 'array', items: { vocabulary: { '@id': `${site.url}/@vocabularies/types` } } } },
      required: ['type'],
    });
  });

  describe('access to scheduled jobs', () => {
    const people: [string, Who | undefined, number][] = [['anonymous', 'anonymous', 401]];
    beforeAll(async () => {
      for (const role of ['Member', 'Site Administrator'])
        people.push([role, await addPerson(site, { id: role.replace(' ', '-'), roles: [role] }), 403]);
    });

    it('only managers have access to scheduled jobs, before anything is validated or done', async () => {
      const path = await create();
      const before = await read(path);
      const jobs = await read('/@jobs');
      for (const [name, as, expected] of people) {
        for (const [method, at] of [
          ['GET', '/@scheduled-jobs'],
          ['GET', '/@scheduled-job-actions'],
          ['GET', path],
          ['GET', '/@scheduled-jobs/nothing'],
          ['POST', '/@scheduled-jobs'],
          ['POST', `${path}/start`],
          ['PATCH', path],
          ['DELETE', path],
        ] as const) {
          const json = method === 'GET' || method === 'DELETE' ? {} : { json: { title: 'Taken', schedule: 'x' } };
          const { status } = await site.request(method, at, { as: as ?? 'anonymous', ...json });
          expect(status, `${name} ${method} ${at}`).toBe(expected);
        }
      }
      expect(await read(path)).toEqual(before);
      expect(await read('/@jobs')).toEqual(jobs);
    });
  });
});
