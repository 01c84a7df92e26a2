import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { removeOldPlans } from '../../src/features/promote/stored/tidy.ts';
import { addPerson } from '../content/people.ts';
import { startWorker } from '../jobs/job-site.ts';
import type { Json } from '../support/site.ts';
import { canopy, send, startTwoSites, type TwoSites } from './two-sites.ts';

const newUid = () => randomUUID().replaceAll('-', '');

describe('a plan that comes in parts', { timeout: 120_000 }, () => {
  let sites: TwoSites;
  let folder: string;
  let worker: JobWorker | undefined;
  const live = (method: string, path: string, json?: unknown, as: Json = 'admin') =>
    sites.live.request(method, path, { as, ...(json === undefined ? {} : { json }) });
  const creation = (name: string, title = name) => ({
    ...{ change: 'created', uid: newUid(), path: `/news/${name}`, place: { parent: folder, name }, type: 'Page' },
    ...{ layout: null, values: { title }, settings: {} },
  });
  const begin = async (...parts: Json[][]): Promise<string> => {
    const { id } = await send(sites.live, 'POST', '/@promotion/plans', {});
    let from = 0;
    for (const entries of parts) {
      await send(sites.live, 'PUT', `/@promotion/plans/${id}/entries/${from}`, { entries });
      from += entries.length;
    }
    return `/@promotion/plans/${id}`;
  };
  /** Has a plan applied, and returns it once its job has ended. */
  const apply = async (plan: string, options: Json = {}): Promise<Json> => {
    const { status, headers, body } = await live('POST', `${plan}/apply`, options);
    expect([status, headers.get('location')]).toEqual([202, body.job]);
    for (;;) {
      const after = await send(sites.live, 'GET', plan);
      if (after.state !== 'waiting') return after;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const titles = async () =>
    (await send(sites.live, 'GET', '/news/@search?path.depth=1&sort_on=id&b_size=1000')).items.map(
      ({ title }: Json) => title,
    );

  beforeAll(async () => {
    sites = await startTwoSites();
    worker = await startWorker(sites.live.kernel);
    folder = (await send(sites.live, 'POST', '/', { '@type': 'Folder', id: 'news', title: 'News' })).UID;
  });
  afterAll(async () => {
    await worker?.close();
    await sites.close();
  });

  it('A job applies it as a whole, and it is not applied again.', async () => {
    const plan = await begin([creation('a'), creation('b')], [creation('c')]);
    const done = await apply(plan);
    expect(done).toMatchObject({ state: 'applied', entries: 3, problem: null });
    expect(done.report).toMatchObject({ created: ['/news/a', '/news/b', '/news/c'], conflicts: [] });
    expect(await titles()).toEqual(['a', 'b', 'c']);
    const job = await send(sites.live, 'GET', new URL(done.job).pathname);
    expect(job).toMatchObject({ status: 'completed', result: { applied: true }, progress: { done: 3, total: 3 } });
    expect(await live('POST', `${plan}/apply`, {})).toMatchObject({ status: 409 });
    await live('POST', `${new URL(done.job).pathname}/retry`);
    expect(await titles()).toEqual(['a', 'b', 'c']);
    expect(await live('DELETE', plan)).toMatchObject({ status: 204 });
    expect(await live('GET', plan)).toMatchObject({ status: 404 });
  });

  it('A check changes nothing, and the same plan is applied afterwards.', async () => {
    const plan = await begin([creation('d')]);
    const checked = await apply(plan, { only_check: true });
    expect(checked).toMatchObject({ state: 'open', only_check: true, report: { created: ['/news/d'] } });
    expect(await live('GET', '/news/d')).toMatchObject({ status: 404 });
    expect(await apply(plan)).toMatchObject({ state: 'applied', only_check: false });
    expect(await live('GET', '/news/d')).toMatchObject({ status: 200 });
    await live('DELETE', plan);
  });

  it('One conflict or one impossible entry, and nothing of it is done.', async () => {
    const plan = await begin([creation('e'), creation('a', 'Other')]);
    const stopped = await apply(plan);
    expect(stopped).toMatchObject({ state: 'failed', report: null, problem: { status: 409 } });
    expect(stopped.problem.conflicts).toMatchObject([{ path: '/news/a', part: 'name' }]);
    expect(await live('GET', '/news/e')).toMatchObject({ status: 404 });
    const job = await send(sites.live, 'GET', new URL(stopped.job).pathname);
    expect(job).toMatchObject({ status: 'completed', result: { applied: false } });
    expect(await apply(plan, { conflicts: 'keep' })).toMatchObject({
      state: 'applied',
      report: { created: ['/news/e'] },
    });
    await live('DELETE', plan);
    const wrong = await begin([creation('f'), { ...creation('g'), type: 'Nothing' }]);
    expect(await apply(wrong)).toMatchObject({ state: 'failed', problem: { status: 400 } });
    expect(await live('GET', '/news/f')).toMatchObject({ status: 404 });
    await live('DELETE', wrong);
  });

  it('A part that is sent again counts once, one that is missing is asked for, and a part may still come after a failure.', async () => {
    const plan = await begin([creation('h')]);
    const part = { entries: [creation('i')] };
    expect(await live('PUT', `${plan}/entries/1`, part)).toMatchObject({ status: 200, body: { entries: 2 } });
    expect(await live('PUT', `${plan}/entries/1`, part)).toMatchObject({ status: 200, body: { entries: 2 } });
    expect(await live('PUT', `${plan}/entries/3`, part)).toMatchObject({ status: 409 });
    expect(await live('PUT', `${plan}/entries/x`, part)).toMatchObject({ status: 400 });
    expect(await live('PUT', `${plan}/entries/2`, { entries: [{}] })).toMatchObject({ status: 400 });
    expect(await live('PUT', `${plan}/entries/2`, { files: { ['0'.repeat(64)]: 'QQ==' } })).toMatchObject({
      status: 400,
    });
    expect(await live('PUT', `${plan}/entries/100000`, part)).toMatchObject({ status: 400 });
    expect(await apply(plan)).toMatchObject({ state: 'applied', report: { created: ['/news/h', '/news/i'] } });
    expect(await live('PUT', `${plan}/entries/2`, part)).toMatchObject({ status: 409 });
    await live('DELETE', plan);
  });

  it('It is that of its user, has the rights of the user, and uses its own files only.', async () => {
    const jo = await addPerson(sites.live, { id: 'jo', roles: ['Member'] });
    await send(sites.live, 'POST', '/news/@sharing', {
      entries: [{ id: 'jo', type: 'user', roles: { Reader: true } }],
    });
    const plan = await begin([creation('j')]);
    for (const [method, path, json] of [
      ['GET', plan],
      ['PUT', `${plan}/entries/1`, { entries: [] }],
      ['POST', `${plan}/apply`, {}],
      ['DELETE', plan],
      ['GET', '/@promotion/plans/x'],
    ] as const) {
      expect((await live(method, path, json, jo)).status).toBe(404);
      expect((await live(method, path, json, 'anonymous')).status).toBe(401);
    }
    const own = (await live('POST', '/@promotion/plans', {}, jo)).body;
    const address = new URL(own['@id']).pathname;
    await live('PUT', `${address}/entries/0`, { entries: [creation('k')] }, jo);
    await live('POST', `${address}/apply`, {}, jo);
    for (let tries = 0; (await live('GET', address, undefined, jo)).body.state === 'waiting' && tries < 200; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await live('GET', address, undefined, jo)).body).toMatchObject({
      state: 'failed',
      problem: { status: 403 },
    });

    const bytes = Buffer.from('A picture of another user');
    const { UID } = await send(sites.live, 'POST', '/news', {
      ...{ '@type': 'File', title: 'Secret' },
      file: { data: bytes.toString('base64'), encoding: 'base64', filename: 'a.txt', 'content-type': 'text/plain' },
    });
    const [{ values }] = (await send(sites.live, 'GET', `/@promotion?uid=${UID}`)).items;
    const thief = await begin([{ ...creation('l'), type: 'File', values }]);
    expect(await apply(thief)).toMatchObject({ state: 'failed', problem: { status: 400 } });
    const text = bytes.toString('base64');
    await send(sites.live, 'PUT', `${thief}/entries/1`, { entries: [], files: { [values.file.hash]: text } });
    expect(await apply(thief)).toMatchObject({ state: 'applied' });
    await Promise.all([plan, thief].map((one) => live('DELETE', one)));
    for (let n = 0; n < 5; n += 1) expect(await live('POST', '/@promotion/plans', {})).toMatchObject({ status: 201 });
    expect(await live('POST', '/@promotion/plans', {})).toMatchObject({ status: 429 });
  });

  it('A plan that nothing happens to goes after a week.', async () => {
    const { kernel } = sites.live;
    const count = async () => (await kernel.db.query({ text: 'select from plan', values: [] })).length;
    const before = await count();
    const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000);
    expect([before > 0, await removeOldPlans(kernel, AbortSignal.timeout(60_000), inDays(6))]).toEqual([true, 0]);
    expect(await removeOldPlans(kernel, AbortSignal.timeout(60_000), inDays(8))).toBe(before);
    expect(await count()).toBe(0);
    for (let n = 0; n < 5; n += 1) await send(sites.live, 'POST', '/@promotion/plans', {});
  });

  it('the command sends a large plan in parts, and brings its report', { timeout: 180_000 }, async () => {
    const { dev, live: site } = sites;
    const plan = join(sites.folder, 'plan.json');
    const tokens = [await sites.tokenOf(site), await sites.tokenOf(dev)];
    const { UID: parent } = await send(dev, 'POST', '/', { '@type': 'Folder', id: 'many', title: 'Many' });
    const entries = Array.from({ length: 260 }, (_, n) => ({
      ...{ ...creation(`m${n}`), path: `/many/m${n}`, place: { parent, name: `m${n}` } },
    }));
    await send(dev, 'POST', '/@promotion', { entries });
    const diff = () =>
      canopy(
        'diff',
        site.url,
        dev.url,
        ...tokens.map((file) => `--token-file=${file}`),
        '--path=/many',
        `--out=${plan}`,
      );
    expect(await diff()).toMatchObject({ code: 3, data: { counts: { created: 261 } } });
    // The plans of the test before are in the way.
    const [token] = tokens;
    const command = (...more: string[]) =>
      canopy('apply', plan, '--to', site.url, '--token-file', token ?? '', ...more);
    expect(await command()).toMatchObject({ code: 1, err: expect.stringContaining('5 plans') });
    await site.kernel.db.query({ text: 'delete from plan', values: [] });
    const dry = await command('--dry-run');
    expect(dry.err).toBe('');
    expect(dry).toMatchObject({ code: 0, data: { dry_run: true, conflicts: [] } });
    expect(await live('GET', '/many')).toMatchObject({ status: 404 });
    const done = await command();
    expect(done).toMatchObject({ code: 0, data: { dry_run: false, conflicts: [] } });
    expect(done.data.created).toHaveLength(261);
    expect(await diff()).toMatchObject({ code: 0 });
  });
});
