import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { JobWorker } from '../../src/features/jobs/worker.ts';
import { addPerson } from '../content/people.ts';
import { startWorker } from '../jobs/job-site.ts';
import { type Json, startTestSite, type TestSite } from '../support/site.ts';
import { send } from './two-sites.ts';

let site: TestSite;
let folder: string;
let jo: { token: string };
let worker: JobWorker | undefined;
let count = 0;

const ask = (method: string, path: string, as: Json = 'admin', json?: Json) =>
  site.request(method, path, { as, ...(json === undefined ? {} : { json }) });
const creation = (name: string) => ({
  ...{ change: 'created', uid: `${++count}`.padStart(32, 'a'), path: `/f/${name}`, place: { parent: folder, name } },
  ...{ type: 'Page', layout: null, values: { title: name }, settings: {} },
});
const pathOf = (address: string) => new URL(address).pathname;
const share = (roles: Json) => send(site, 'POST', '/f/@sharing', { entries: [{ id: 'jo', type: 'user', roles }] });

/** Begins a plan that makes a page. Returns its path. */
async function begin(name: string, as: Json = 'admin'): Promise<string> {
  const plan = pathOf((await ask('POST', '/@promotion/plans', as, {})).body['@id']);
  expect((await ask('PUT', `${plan}/entries/0`, as, { entries: [creation(name)] })).status).toBe(200);
  return plan;
}

/** Has a plan applied by a job, which waits for a worker. Returns the path of the job. */
async function enqueue(plan: string, as: Json = 'admin'): Promise<string> {
  const { status, body } = await ask('POST', `${plan}/apply`, as, {});
  expect(status).toBe(202);
  return pathOf(body.job);
}

/** Runs the jobs that wait, until one has ended. Returns this one. */
async function work(job: string): Promise<Json> {
  worker ??= await startWorker(site.kernel);
  for (;;) {
    const { body } = await ask('GET', job);
    if (!['created', 'running'].includes(body.status)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

beforeAll(async () => {
  site = await startTestSite();
  jo = await addPerson(site, { id: 'jo', roles: ['Member'] });
  folder = (await send(site, 'POST', '/', { '@type': 'Folder', id: 'f', title: 'F' })).UID;
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(() => site.close());

it('While its job waits, parts, another job and its removal are refused.', async () => {
  const plan = await begin('a');
  const requests = await Promise.all(Array.from({ length: 4 }, () => ask('POST', `${plan}/apply`, 'admin', {})));
  expect(requests.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
  for (const [method, path, json] of [
    ['PUT', `${plan}/entries/1`, { entries: [creation('b')] }],
    ['DELETE', plan],
  ] as const)
    expect(await ask(method, path, 'admin', json)).toMatchObject({ status: 409 });
  const { job } = (await ask('GET', plan)).body;
  expect(await work(pathOf(job))).toMatchObject({ status: 'completed', result: { applied: true } });
  expect(await ask('GET', plan)).toMatchObject({ body: { state: 'applied', report: { created: ['/f/a'] } } });
});

it('A plan whose processes ended three times says so, and is applied again.', async () => {
  const plan = await begin('c');
  const job = await enqueue(plan);
  await site.kernel.db.query({
    text: `update job set status = 'running', worker = gen_random_uuid(), attempts = 3, due = now() - interval '1 second'
      where id = $1::uuid`,
    values: [job.split('/').at(-1)],
  });
  expect(await work(job)).toMatchObject({ status: 'failed', error: expect.stringContaining('3 times') });
  expect(await ask('GET', plan)).toMatchObject({ body: { state: 'failed', report: null, problem: { status: 503 } } });
  expect(await ask('GET', '/f/c')).toMatchObject({ status: 404 });
  await work(await enqueue(plan));
  expect(await ask('GET', plan)).toMatchObject({ body: { state: 'applied', report: { created: ['/f/c'] } } });
});

it('It has the rights that its user has when it is applied.', async () => {
  await share({ Editor: true, Contributor: true });
  const plan = await begin('d', jo);
  const job = await enqueue(plan, jo);
  await share({ Editor: false, Contributor: false, Reader: true });
  expect(await work(job)).toMatchObject({ status: 'completed', result: { applied: false } });
  expect(await ask('GET', plan, jo)).toMatchObject({ body: { state: 'failed', problem: { status: 403 } } });
  expect(await ask('GET', '/f/d')).toMatchObject({ status: 404 });
});

it('A Manager sees the job without the paths of the plan, and lends it no rights by a retry.', async () => {
  const plan = await begin('secret', jo);
  const job = await enqueue(plan, jo);
  const seen = await ask('GET', job);
  expect(seen).toMatchObject({ status: 200, body: { title: 'Apply a plan of 1 entries' } });
  expect(seen.text).not.toContain('secret');
  expect((await ask('GET', plan)).status).toBe(404);
  expect((await ask('POST', `${job}/abort`, jo)).status).toBe(204);
  expect(await ask('GET', plan, jo)).toMatchObject({ body: { state: 'failed', problem: { status: 503 } } });
  const retried = pathOf((await ask('POST', `${job}/retry`)).headers.get('location') ?? '');
  expect(await work(retried)).toMatchObject({ status: 'failed', error: expect.stringContaining('no such plan') });
  expect(await ask('GET', '/f/secret')).toMatchObject({ status: 404 });
});
